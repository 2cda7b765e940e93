import { formatPlural } from '../../../lib/format/count.ts';
import type { OperatorReplicas } from '../operator-types.ts';

const processes = (count: number) => formatPlural(count, 'process', 'processes');

/** What an operator should do something about, in sentences. */
export function findWarnings({ replicas, consoleVersion }: OperatorReplicas): string[] {
  const told = replicas.flatMap((replica) => replica.told ?? []);
  const versions = [...new Set(told.map(({ version }) => version))].toSorted();
  const inMemory = told.filter(({ limits }) => limits === 'memory').length;
  const degraded = told.filter(({ limits }) => limits === 'degraded').length;
  const unwritable = told.filter(({ ledger }) => !ledger.isWritable).length;
  const leftOut = Math.max(0, ...told.map(({ breakersLeftOut }) => breakersLeftOut));
  const warnings: (string | false)[] = [
    versions.length > 1 &&
      `The processes run different releases, ${versions.join(' and ')}: bring them to the same one.`,
    versions.length === 1 &&
      versions[0] !== consoleVersion &&
      `The api runs release ${versions[0]}, the console ${consoleVersion}: bring them to the same one.`,
    inMemory > 1 &&
      `${processes(inMemory)} keep limits in memory, each by itself, so that a key may do up to ${inMemory} times what its limits say: set REDIS_URL for all of them.`,
    degraded > 0 &&
      `Redis does not answer ${processes(degraded)}: limits are kept by each process by itself until it is back.`,
    unwritable > 0 &&
      `${processes(unwritable)} cannot write the ledger: calls are refused there, and what has ended waits in the spool.`,
    leftOut > 0 && `More routes fail than are shown: ${formatPlural(leftOut, 'breaker')} found no room.`,
  ];
  return warnings.filter((warning) => warning !== false);
}
