import { renderTable } from '@tollgate/dialects/render-table';
import type { Cell, Dialect } from './cell.ts';
import type { End, Fault } from './fault.ts';
import { CELLS } from './trial.ts';

const NAMES: Record<Dialect, string> = {
  'openai-chat': 'chat',
  'anthropic-messages': 'messages',
  'openai-responses': 'responses',
};
const ENDS: Record<End, string> = { first: 'pass', second: 'second', error: 'error', ended: 'ended' };

/** The part of the table for some faults. @param getEnd null: in no way that is allowed */
export function renderFaults(
  faults: readonly Fault[],
  getEnd: (fault: Fault, cell: Cell) => End | null,
): string {
  const pairs = CELLS.filter(({ isStream }) => isStream);
  const header = pairs.map(({ endpoint, dialect }) =>
    endpoint === dialect ? NAMES[endpoint] : `${NAMES[endpoint]} from ${NAMES[dialect]}`,
  );
  const rows = faults.map((fault) => [
    fault.name,
    ...pairs.map((cell) => {
      const [streamed, whole] = [true, false].map((isStream) => {
        const end = getEnd(fault, { ...cell, isStream });
        return end === null ? 'FAIL' : ENDS[end];
      });
      return streamed === whole ? `${streamed}` : `${streamed} / ${whole}`;
    }),
  ]);
  return renderTable(['fault', ...header], rows);
}

/** `docs/provider-faults.md`. */
export function renderFaultDoc(groups: readonly { title: string; faults: readonly Fault[] }[]): string {
  const count = groups.reduce((sum, { faults }) => sum + faults.length, 0);
  const parts = groups.map(
    ({ title, faults }) =>
      `## ${title}\n\n${renderFaults(faults, (fault, cell) => fault.expected(cell).end)}`,
  );
  return `${INTRODUCTION.replace('{count}', String(count))}\n${parts.join('\n')}`;
}

const INTRODUCTION = `# Provider faults

What a caller gets if a provider fails in one of {count} ways. Each fault is provoked in a streamed and in a whole response, at the three endpoints, with a provider of the endpoint's dialect and with a provider whose responses are translated. The model has a second provider, which works. \`api/test/chaos/fault-matrix.test.ts\` runs all of it over real connections and prints this table. After a change of a table in \`api/test/chaos/fault-matrix/faults\`, run \`npm test -- --run fault-matrix-doc -u\`.

| word   | what the caller gets                                                                                                    | what is billed                         |
| ------ | ----------------------------------------------------------------------------------------------------------------------- | -------------------------------------- |
| pass   | the complete response of the provider with the fault                                                                    | its usage, once                        |
| second | the complete response of the second provider; without one, an error with a status and a message in the caller's dialect | the usage of the second provider, once |
| error  | an error with a status and a message in the caller's dialect: another provider would refuse the request too             | nothing                                |
| ended  | the beginning of the response, then the error event of the dialect, and never the event that ends a complete response   | at most the part that was received     |

If a cell has two words, the first one is for streams and the second one for whole responses. A fault that only streams can have leaves whole responses as they are. What must hold for each word is checked without any knowledge of the gateway: the text and the calls of tools are equal to what the provider wrote, as the official client of the dialect reads them; a translated response conforms to the types of the dialect; each request has one record, whose cost is the price of its tokens. Afterwards nothing is on hold, and no connection, memory or place at a provider is in use.

If the provider reports no usage, or one that cannot be true, the response is billed by an estimate of what the caller received.
`;
