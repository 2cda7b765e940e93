/** The current connection of a client. */
export interface ConnectionUse {
  isOpen: boolean;
  /** Number of requests that were begun on it. */
  requests: number;
}
