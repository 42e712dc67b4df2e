/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A program that shows an address, which becomes its last argument. */
export interface BrowserCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/** The part of Windows that opens an address with whatever program is meant for it, without a shell in between. */
const HANDLER = ["url.dll,FileProtocolHandler"] as const;
const XDG: BrowserCommand = { file: "xdg-open", args: [] };

/** What to try, in this order, on each platform. Others are taken for a kind of Linux. */
const COMMANDS: Readonly<Partial<Record<NodeJS.Platform, (environment: Environment) => readonly BrowserCommand[]>>> = {
  darwin: () => [{ file: "/usr/bin/open", args: [] }],
  win32: ({ SystemRoot = "C:\\Windows" }) => [{ file: `${SystemRoot}\\System32\\rundll32.exe`, args: HANDLER }],
};

/** Lists the programs that may be able to show an address; none where nobody could see it. */
export function listBrowserCommands(platform: NodeJS.Platform, environment: Environment): readonly BrowserCommand[] {
  return (COMMANDS[platform] ?? listOnLinux)(environment);
}

function listOnLinux(environment: Environment): readonly BrowserCommand[] {
  const { BROWSER = "", DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = environment;
  const commands: BrowserCommand[] = [];
  // Editors that work on another machine set it to a program that shows addresses on the user's own. Lists and patterns are
  // left to xdg-open.
  if (/^[\w./][\w./+-]*$/.test(BROWSER)) commands.push({ file: BROWSER, args: [] });
  if (WSL_DISTRO_NAME !== undefined)
    commands.push({ file: "wslview", args: [] }, { file: "/mnt/c/Windows/System32/rundll32.exe", args: HANDLER });
  // Without a screen it would start a browser for terminals, which nobody sees.
  if ((DISPLAY ?? WAYLAND_DISPLAY ?? BROWSER) !== "") commands.push(XDG);
  return commands;
}
