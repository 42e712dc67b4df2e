import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CommandFailure } from "../../src/command-failure.js";
import { type AddOutcome, type AddRequest, addServer } from "../../src/hosts/add-server.js";
import { findFile, replaceFile } from "../../src/hosts/replace-file.js";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "mortise-"));
});
afterEach(() => rm(home, { recursive: true }));

function add(request: Partial<AddRequest> = {}): Promise<AddOutcome> {
  return addServer(
    { host: "cursor", name: "mortise", env: [], project: false, force: false, ...request },
    { platform: "linux", home, cwd: join(home, "shop"), env: {} },
  );
}

describe("registering", () => {
  test("makes the file and its folders, which only the user may read", async () => {
    const { file, changed, backup } = await add();

    expect({ file, changed, backup }).toEqual({
      file: join(home, ".cursor", "mcp.json"),
      changed: true,
      backup: undefined,
    });
    expect(JSON.parse(await readFile(file, "utf8")).mcpServers.mortise.command).toBe("npx");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test("makes the file of a project, which others may read", async () => {
    const { file } = await add({ project: true, host: "vscode" });

    expect(file).toBe(join(home, "shop", ".vscode", "mcp.json"));
    expect((await stat(file)).mode & 0o777).toBe(0o644);
  });

  test("keeps a copy of what the file held, and who may read it", async () => {
    const file = join(home, ".claude.json");
    await writeFile(file, '{ "numStartups": 3 }');
    await chmod(file, 0o640);

    const { backup } = await add({ host: "claude-code" });

    expect(await readFile(backup!, "utf8")).toBe('{ "numStartups": 3 }');
    expect((await stat(backup!)).mode & 0o777).toBe(0o640);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect((await readdir(home)).sort()).toEqual([".claude.json", ".claude.json.mortise.bak"]);
  });

  test("replaces a link that stands where the copy goes, and leaves what it leads to", async () => {
    const file = join(home, ".claude.json");
    const backup = `${file}.mortise.bak`;
    await writeFile(file, "{}");
    await writeFile(join(home, "precious"), "precious");
    await symlink(join(home, "precious"), backup);

    await add({ host: "claude-code" });

    expect(await readFile(join(home, "precious"), "utf8")).toBe("precious");
    expect((await lstat(backup)).isFile()).toBe(true);
  });

  test("writes nothing where nothing changes", async () => {
    const { file } = await add();
    const before = await stat(file, { bigint: true });

    const { changed, backup } = await add();

    expect({ changed, backup }).toEqual({ changed: false, backup: undefined });
    expect((await stat(file, { bigint: true })).mtimeNs).toBe(before.mtimeNs);
  });

  test("leaves a broken file as it is, and names it with the place", async () => {
    const file = join(home, ".claude.json");
    await writeFile(file, "{ broken");

    const adding = add({ host: "claude-code" });

    await expect(adding).rejects.toThrow(CommandFailure);
    await expect(adding).rejects.toThrow(/line 1, column 3, in .*\.claude\.json/);
    expect(await readFile(file, "utf8")).toBe("{ broken");
    expect(await readdir(home)).toEqual([".claude.json"]);
  });

  test("refuses a file that is no text", async () => {
    const file = join(home, ".claude.json");
    await writeFile(file, Uint8Array.of(0x7b, 0xff, 0x7d));

    await expect(add({ host: "claude-code" })).rejects.toThrow(CommandFailure);
  });

  test("refuses a place that cannot be written, in a line", async () => {
    await writeFile(join(home, ".cursor"), "a file where a folder should be");

    await expect(add()).rejects.toThrow(CommandFailure);
  });

  test("follows a link, and leaves it one", async () => {
    await mkdir(join(home, "dotfiles"));
    await writeFile(join(home, "dotfiles", "claude.json"), "{}");
    await symlink(join(home, "dotfiles", "claude.json"), join(home, ".claude.json"));

    await add({ host: "claude-code" });

    expect((await lstat(join(home, ".claude.json"))).isSymbolicLink()).toBe(true);
    expect(await readFile(join(home, "dotfiles", "claude.json"), "utf8")).toContain("mortise");
  });

  test("refuses a link to nothing", async () => {
    await symlink(join(home, "gone.json"), join(home, ".claude.json"));

    await expect(add({ host: "claude-code" })).rejects.toThrow(CommandFailure);
  });
});

test("a file that changed since it was read is not replaced", async () => {
  const file = join(home, "mcp.json");
  await writeFile(file, "{}");
  const found = await findFile(file);
  await writeFile(file, '{ "new": true }');

  await expect(replaceFile(found, "{ }")).rejects.toThrow(CommandFailure);
  expect(await readFile(file, "utf8")).toBe('{ "new": true }');
});
