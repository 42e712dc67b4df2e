import { open, rm } from "node:fs/promises";

/**
 * Makes a file that only this user may read; rejects when there is one already. Nothing is left behind when writing fails. What is
 * to be `kept` is on the disk before this resolves: a crash must not leave an empty file in the place of a full one.
 */
export async function createFile(
  path: string,
  content: string,
  { kept = false }: { readonly kept?: boolean } = {},
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    if (kept) await file.sync();
    await file.close();
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}
