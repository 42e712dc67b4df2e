/** Says how to tell assistants of an endpoint. A token is named by its variable, never by itself. */
export function describeRegistration(url: string, withToken: boolean): string {
  const bearer = `Bearer \${MORTISE_MCP_TOKEN}`;
  const entry = { type: "http", url, ...(withToken && { headers: { Authorization: bearer } }) };
  const command = `claude mcp add --transport http mortise ${url}`;
  const header = withToken ? ` --header "Authorization: ${bearer}"` : "";
  const where = withToken ? ", where MORTISE_MCP_TOKEN is set to the token," : "";
  return `Register it${where} with\n  ${command}${header}\nor in .mcp.json with\n  ${JSON.stringify({ mcpServers: { mortise: entry } })}`;
}
