import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isMissing } from '@tollgate/testing/missing-tool';

export const isTerminalMissing = isMissing(
  'python3',
  spawnSync('python3', ['-c', 'import pty']).status === 0,
  'questions on a terminal',
);

/** Opens a pseudoterminal: prints a line at the question, types the line that it gets then, and prints the result. */
const PROGRAM = String.raw`
import json, os, pty, sys
command, environment, question = json.loads(sys.argv[1])
process, terminal = pty.fork()
if process == 0:
    os.execvpe(command[0], command, environment)
output = b""
is_asked = False
while True:
    try:
        chunk = os.read(terminal, 4096)
    except OSError:
        chunk = b""
    if not chunk:
        break
    output += chunk
    if not is_asked and question.encode() in output:
        is_asked = True
        print("asked", flush=True)
        os.write(terminal, json.loads(sys.stdin.readline()).encode())
exit_code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
print(json.dumps({"output": output.decode(), "exitCode": exit_code}), flush=True)
`;

interface TerminalRun {
  command: readonly string[];
  env: Record<string, string>;
  /** What the program writes before it waits. */
  question: string;
  /** The keys to press; called when the question is on the terminal. */
  answer: () => string;
}

/** Runs a program on a pseudoterminal and answers its question. */
export async function runInTerminal({ command, env, question, answer }: TerminalRun) {
  const child = spawn('python3', ['-c', PROGRAM, JSON.stringify([command, env, question])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let result = { output: '', exitCode: -1 };
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'asked') child.stdin.end(`${JSON.stringify(answer())}\n`);
    else result = JSON.parse(line) as typeof result;
  }
  await closed;
  return result;
}
