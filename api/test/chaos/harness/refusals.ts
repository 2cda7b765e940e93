import { parseUsd, type NanoUsd } from '@tollgate/core/money/money';
import type { ApiFleet } from './api-fleet.ts';
import type { Answer } from './ask.ts';

/** The figures in a 402 response. */
export interface Refusal {
  marker: string;
  /** Amount left after settlements, as known when it was decided. */
  leftNanoUsd: NanoUsd;
  /** The smallest amount for which the request would have been served. */
  neededNanoUsd: NanoUsd;
}

const KEPT_OUTPUT = 4_000;
const SPENT = /\$(\d+\.\d+) of \$(\d+\.\d+) spent/;
const LEFT = /\$(\d+\.\d+) left/;
const NEEDED = /could cost up to \$(\d+\.\d+)\./;

/**
 * Reads every 402 among the responses; for an exhausted budget the needed amount is one nano-dollar.
 * @throws Error if a 402 has no figures
 */
export function readRefusals(answers: readonly Answer[]): Refusal[] {
  return answers
    .filter(({ status }) => status === 402)
    .map(({ marker, body }) => {
      const spent = SPENT.exec(body);
      const leftNanoUsd =
        spent === null ? toUsd(LEFT.exec(body)?.[1], body) : toUsd(spent[2], body) - toUsd(spent[1], body);
      const needed = NEEDED.exec(body)?.[1];
      const neededNanoUsd = needed === undefined && leftNanoUsd === 0n ? 1n : toUsd(needed, body);
      return { marker, leftNanoUsd, neededNanoUsd };
    });
}

function toUsd(text: string | undefined, body: string): NanoUsd {
  const amount = text === undefined ? null : parseUsd(text);
  if (amount === null) throw new Error(`A refusal has no figures: ${body}`);
  return amount;
}

/** Number of responses by status, e.g. `200 × 411, 402 × 589`; 0 for no status. */
export function countStatuses(answers: readonly Answer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status ?? 0, (counts.get(status ?? 0) ?? 0) + 1);
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ');
}

/** Recent output of the processes if one has died or a client got a 500 or 502; else empty. */
export function explainFailures({ apis }: ApiFleet, answers: readonly Answer[]): string {
  const failed = answers.filter(({ status }) => status === 500 || status === 502);
  const dead = apis.filter(({ isRunning }) => !isRunning).length;
  if (failed.length + dead === 0) return '';
  const outputs = apis.map((api) => `${api.baseUrl}:\n${api.output().slice(-KEPT_OUTPUT)}`).join('\n');
  return `${dead} processes are dead, ${failed.length} answers failed: ${failed[0]?.body}\n${outputs}\n`;
}
