import type { LoginOutcome } from "./login-page.js";
import type { LoopbackAddress } from "./loopback-address.js";
import { type LoopbackListener, openListener } from "./loopback-listener.js";

/** A port that one login uses, perhaps beside others. */
export interface SharedPort {
  readonly listener: LoopbackListener;
  /** Stops using it. The last one closes it. To be called once. */
  leave(): void;
}

/** A port in use, or being opened. */
interface Entry {
  readonly host: string;
  readonly asked: number;
  readonly opening: Promise<LoopbackListener>;
  listener: LoopbackListener | undefined;
  users: number;
}

/** Opens each port once, for as many logins as there are at a time. */
export function createPorts(render: (outcome: LoginOutcome) => string): {
  open(address: LoopbackAddress): Promise<SharedPort>;
} {
  const entries = new Set<Entry>();

  const leave = (entry: Entry): void => {
    entry.users -= 1;
    if (entry.users > 0) return;
    entries.delete(entry);
    entry.listener?.close();
  };
  const find = ({ host, port }: LoopbackAddress): Entry | undefined => {
    const isSame = (entry: Entry): boolean => entry.asked === port || entry.listener?.port === port;
    return [...entries].find((entry) => entry.host === host && isSame(entry));
  };
  const add = ({ host, port }: LoopbackAddress): Entry => {
    const opening = openListener({ host, port, render });
    const entry: Entry = { host, asked: port, opening, listener: undefined, users: 0 };
    entries.add(entry);
    return entry;
  };

  return {
    async open(address) {
      const entry = find(address) ?? add(address);
      entry.users += 1;
      try {
        const listener = await entry.opening;
        entry.listener = listener;
        listener.addPath(address.path);
        return { listener, leave: () => leave(entry) };
      } catch (error) {
        leave(entry);
        throw error;
      }
    },
  };
}
