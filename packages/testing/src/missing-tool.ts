/**
 * Says in one line which tests are skipped and what they need: `describe.skipIf(isMissing('nginx', hasNginx, 'a reverse proxy'))`.
 * @returns true if the tool is missing
 */
export function isMissing(tool: string, isThere: boolean, tests: string): boolean {
  if (!isThere) process.stdout.write(`Skipped, because ${tool} is missing: ${tests}\n`);
  return !isThere;
}
