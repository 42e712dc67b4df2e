/** How severe a log message is, from least to most. https://www.rfc-editor.org/rfc/rfc5424.html#section-6.2.1 */
export const LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
/** One of the severities of log messages. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Tells whether a value names a log level. */
export function isLogLevel(value: unknown): value is LogLevel {
  return (LOG_LEVELS as readonly unknown[]).includes(value); // the list is searched for what may be anything
}
