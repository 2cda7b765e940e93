import type { RequestContract } from './contract.ts';

const known = new WeakMap<RequestContract, Map<RequestContract, RequestContract>>();

/**
 * The contract for inspecting a request that will be translated: members that only the provider's dialect knows
 * have its rules, since some of them are passed on.
 * @param from of the caller's dialect
 * @param to of the provider
 */
export function crossContract(from: RequestContract, to: RequestContract): RequestContract {
  let crossed = known.get(to);
  if (crossed === undefined) {
    crossed = new Map();
    known.set(to, crossed);
  }
  const made = crossed.get(from);
  if (made !== undefined) return made;
  const contract: RequestContract = {
    ...from,
    members: new Map([...to.members, ...from.members]),
    allowed: to.allowed,
  };
  crossed.set(from, contract);
  return contract;
}
