/** Remaining amounts of an owner's windows; -1: no limit. */
interface OwnerReply {
  requests: number;
  requestsResetMs: number;
  tokens: number;
  tokensResetMs: number;
}

/** Reply of the script. `owner`, `limit` and `waitMs` are only meaningful if the request was refused. */
export interface ScriptReply {
  outcome: 'taken' | 'retry' | 'never';
  owner: 'key' | 'account';
  limit: 'requests' | 'tokens';
  waitMs: number;
  keyAt: number;
  accountAt: number;
  key: OwnerReply;
  account: OwnerReply;
}

const LENGTH = 14;

/** Parses the script's 14 numbers. @throws on any other reply */
export function parseReply(reply: unknown): ScriptReply {
  if (!Array.isArray(reply) || reply.length !== LENGTH || !reply.every((part) => typeof part === 'number'))
    throw new TypeError(`The limits' script answered ${JSON.stringify(reply)}`);
  const at = (index: number): number => Number(reply[index]);
  const owner = (from: number): OwnerReply => ({
    requests: at(from),
    requestsResetMs: at(from + 1),
    tokens: at(from + 2),
    tokensResetMs: at(from + 3),
  });
  const code = at(0);
  return {
    outcome: code === 1 ? 'taken' : code === 2 ? 'never' : 'retry',
    owner: at(1) === 2 ? 'account' : 'key',
    limit: at(2) === 2 ? 'tokens' : 'requests',
    waitMs: at(3),
    keyAt: at(4),
    accountAt: at(5),
    key: owner(6),
    account: owner(10),
  };
}
