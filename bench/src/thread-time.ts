import { readdirSync, readFileSync } from "node:fs";

/** Time that all threads of a living process have run so far, in microseconds; NaN where the system does not tell. */
export function readThreadTime(pid: number | undefined): number {
  if (process.platform !== "linux" || pid === undefined) return Number.NaN;
  const folder = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(folder).map((thread) => {
    const [ran] = readFileSync(`${folder}/${thread}/schedstat`, "utf8").split(" ");
    return Number(ran);
  });
  return nanoseconds.reduce((sum, ran) => sum + ran, 0) / 1000;
}
