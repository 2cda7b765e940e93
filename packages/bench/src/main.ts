import { parseOptions, USAGE, type BenchOptions } from './options.ts';
import { summarise } from './figures.ts';
import { formatReport } from './report.ts';
import { runBench } from './run-bench.ts';
import { isPassed, judge } from './verdicts.ts';

const interrupt = new AbortController();
// npm and the terminal may both send one: every signal after the first is swallowed while everything is being ended.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => interrupt.abort(new Error('Interrupted')));

process.exitCode = await main();

async function main(): Promise<number> {
  let options: BenchOptions;
  try {
    options = parseOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${describe(error)}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  try {
    return await measureAndPrint(options);
  } catch (error) {
    if (interrupt.signal.aborted) {
      console.error('Interrupted: everything that was started has ended');
      return 130;
    }
    console.error(describe(error));
    return 1;
  }
}

async function measureAndPrint(options: BenchOptions): Promise<number> {
  const result = await runBench(options, interrupt.signal, (line) => console.error(line));
  const figures = summarise(result);
  const verdicts = judge(figures);
  if (options.json) console.log(JSON.stringify({ ...result, figures, verdicts }, asText, 2));
  else console.log(`\n${formatReport(result, verdicts)}`);
  if (options.quick) console.error('A quick run: its speed is no basis for a verdict.');
  return isPassed(verdicts, options.quick) ? 0 : 1;
}

/** Amounts of money are more than a JSON number holds. */
function asText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
