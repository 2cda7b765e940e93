/** What a log may say about an error: never the values of a query, among which are hashes and addresses. */
export interface ErrorDescription {
  name: string;
  message: string;
  /** Of Postgres, SMTP or the system. */
  code?: string;
  stack?: string;
  cause?: ErrorDescription;
}

/** Drizzle puts a query's parameters into its message, Postgres a row's values into `detail`: both stay out. */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { name: 'Unknown', message: typeof error };
  const isQuery = 'query' in error && 'params' in error;
  const description: ErrorDescription = {
    name: error.name,
    message: isQuery ? `Failed query: ${String(error.query)}` : error.message,
  };
  if ('code' in error && typeof error.code === 'string') description.code = error.code;
  if (error.cause instanceof Error) description.cause = describeError(error.cause);
  else if (!isQuery && error.stack !== undefined) description.stack = error.stack;
  return description;
}
