/** What went wrong in words for the person who called a tool: it becomes an `isError` result. Never holds a key. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}
