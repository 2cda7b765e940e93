import { formatPlural } from '../../../lib/format/count.ts';
import type { OperatorReplicas } from '../operator-types.ts';

const replicaCount = (count: number) => formatPlural(count, 'replica');

/** Warnings that an operator should act on. */
export function findWarnings({ replicas, consoleVersion }: OperatorReplicas): string[] {
  const reports = replicas.flatMap((replica) => replica.report ?? []);
  const versions = [...new Set(reports.map(({ version }) => version))].toSorted();
  const inMemory = reports.filter(
    ({ limits, isCountedElsewhere }) => limits === 'memory' && isCountedElsewhere !== true,
  ).length;
  const refusing = reports.filter(({ isRefusing }) => isRefusing === true).length;
  const degraded = reports.filter(({ limits }) => limits === 'degraded').length - refusing;
  const unwritable = reports.filter(({ ledger }) => !ledger.isWritable).length;
  const leftOut = Math.max(0, ...reports.map(({ breakersLeftOut }) => breakersLeftOut));
  const warnings: (string | false)[] = [
    versions.length > 1 &&
      `The replicas run different versions: ${versions.join(' and ')}. Deploy the same version to all of them.`,
    versions.length === 1 &&
      versions[0] !== consoleVersion &&
      `The API runs version ${versions[0]}, the console ${consoleVersion}. Deploy the same version to both.`,
    inMemory > 1 &&
      `${replicaCount(inMemory)} keep limits in memory, so keys can use up to ${inMemory} times their limits. Set REDIS_URL for all replicas.`,
    degraded > 0 &&
      `Redis does not respond to ${replicaCount(degraded)}. Each replica applies limits separately until Redis is back.`,
    refusing > 0 &&
      `The supervisor of the API's workers does not respond to ${replicaCount(refusing)}. Requests with limits are rejected there. If this lasts, restart the API.`,
    unwritable > 0 &&
      `${replicaCount(unwritable)} cannot write the ledger. New requests there are rejected. Finished requests are stored on disk.`,
    leftOut > 0 && `Some failing routes are not shown: ${formatPlural(leftOut, 'circuit breaker')} more.`,
  ];
  return warnings.filter((warning) => warning !== false);
}
