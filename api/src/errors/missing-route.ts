/** Endpoints that clients append to their base URL, which ends with `/v1`. */
const APPENDED = [
  '/chat/completions',
  '/messages',
  '/messages/count_tokens',
  '/responses',
  '/embeddings',
  '/models',
];
const MAX_PATH = 200;

/** Says that an endpoint does not exist, and which one the client means if only its base URL is wrong. */
export function describeMissingRoute(method: string, path: string): string {
  const missing = `The endpoint ${method} ${path.slice(0, MAX_PATH)} does not exist.`;
  const meant = APPENDED.find((end) => path.endsWith(end) && path !== `/v1${end}`);
  if (meant === undefined) return `${missing} See /docs for all endpoints.`;
  return `${missing} Check the base URL of your client: the endpoint is /v1${meant}.`;
}
