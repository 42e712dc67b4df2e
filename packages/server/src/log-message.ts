import { LOG_LEVELS, type LogLevel } from "@mortise/core";

const SEVERITY: ReadonlyMap<LogLevel, number> = new Map(LOG_LEVELS.map((level, severity) => [level, severity]));

/** Tells whether a message is severe enough for what was asked for. Nothing is when nobody asked. */
export function isWanted(level: LogLevel, asked: LogLevel | undefined): boolean {
  return asked !== undefined && severityOf(level) >= severityOf(asked);
}

/** Serializes a log message. Data that JSON cannot hold is sent as text, so that logging never fails a call. */
export function encodeLogMessage(level: LogLevel, data: unknown, logger: string | undefined): string {
  const source = logger === undefined ? "" : `"logger":${JSON.stringify(logger)},`;
  return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"${level}",${source}"data":${encodeData(data)}}}`;
}

function encodeData(data: unknown): string {
  try {
    const text = JSON.stringify(data instanceof Error ? { name: data.name, message: data.message } : data);
    return text ?? JSON.stringify(String(data));
  } catch {
    return JSON.stringify(describe(data));
  }
}

function describe(data: unknown): string {
  return typeof data === "bigint" ? String(data) : "(data that JSON cannot hold)";
}

function severityOf(level: LogLevel): number {
  return SEVERITY.get(level) ?? 0;
}
