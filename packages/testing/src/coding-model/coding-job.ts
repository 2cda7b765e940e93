import type { AgentScript, PlannedTurn } from '../agent-model/agent-script.ts';
import type { SeenConversation } from '../agent-model/seen-conversation.ts';

type Call = NonNullable<PlannedTurn['calls']>[number];

/** What a coding agent is asked; the model finds its job in it. */
export const getPrompt = (folder: string): string =>
  `Do the job of the coding test in the folder <${folder}>.`;
/** A prompt whose response takes minutes. */
export const SLOW_PROMPT = 'Do the slow job of the coding test.';

/** Contents of the files in the folder after the job. */
export const JOB_FILES: Readonly<Record<string, string>> = {
  'notes.txt': 'The password of the day is Löwenzahn.\n',
  'one.txt': 'first\n',
  'two.txt': 'second\n',
};
/** The final answer if every result arrived. */
export const JOB_ANSWER = 'Read Löwenzahn, first and second: the coding job is complete.';
const NOTES = JOB_FILES['notes.txt'] ?? '';

const getPatch = (file: string): string => `*** Begin Patch\n*** Add File: ${file}\n+${NOTES}*** End Patch\n`;

interface CodingTools {
  /** Tools that must be offered. */
  names: readonly string[];
  write(file: string): Call;
  read(file: string): Call;
  run(command: string): Call;
}

/** The tools of each agent. */
const TOOLS: readonly CodingTools[] = [
  {
    names: ['Write', 'Read', 'Bash'],
    write: (file) => ({ name: 'Write', arguments: { file_path: file, content: NOTES } }),
    read: (file) => ({ name: 'Read', arguments: { file_path: file } }),
    run: (command) => ({ name: 'Bash', arguments: { command, description: 'Write a file' } }),
  },
  {
    names: ['apply_patch', 'exec_command'],
    write: (file) => ({
      name: 'apply_patch',
      arguments: { input: getPatch(file) },
    }),
    read: (file) => ({ name: 'exec_command', arguments: { cmd: `cat '${file}'` } }),
    run: (cmd) => ({ name: 'exec_command', arguments: { cmd } }),
  },
  {
    names: ['exec_command'],
    write: (file) => ({ name: 'exec_command', arguments: { cmd: `printf '%s' '${NOTES}' > '${file}'` } }),
    read: (file) => ({ name: 'exec_command', arguments: { cmd: `cat '${file}'` } }),
    run: (cmd) => ({ name: 'exec_command', arguments: { cmd } }),
  },
  {
    names: ['apply_patch', 'read', 'bash'],
    write: (file) => ({ name: 'apply_patch', arguments: { patchText: getPatch(file) } }),
    read: (file) => ({ name: 'read', arguments: { filePath: file } }),
    run: (command) => ({ name: 'bash', arguments: { command } }),
  },
  {
    names: ['write', 'read', 'bash'],
    write: (file) => ({ name: 'write', arguments: { filePath: file, content: NOTES } }),
    read: (file) => ({ name: 'read', arguments: { filePath: file } }),
    run: (command) => ({ name: 'bash', arguments: { command } }),
  },
  {
    names: ['write_file', 'read_file', 'run_shell_command'],
    write: (file) => ({ name: 'write_file', arguments: { file_path: file, content: NOTES } }),
    read: (file) => ({ name: 'read_file', arguments: { file_path: file } }),
    run: (command) => ({ name: 'run_shell_command', arguments: { command, is_background: false } }),
  },
];

/** The script of a coding agent's model; other requests, such as titles, get a short text. */
export function getCodingScript(tools: readonly { name: string }[]): AgentScript {
  const offered = new Set(tools.map(({ name }) => name));
  const own = TOOLS.find(({ names }) => names.every((name) => offered.has(name)));
  return { turns: [(seen) => planJob(seen, own)] };
}

function planJob(seen: SeenConversation, tools: CodingTools | undefined): PlannedTurn {
  const said = seen.said.join('\n');
  if (tools !== undefined && said.includes(SLOW_PROMPT)) return { says: 'word '.repeat(10_000) };
  const folder = /coding test in the folder <([^>]+)>/.exec(said)?.[1];
  if (folder === undefined || tools === undefined) return {};
  const reasoning = { thinks: `Step ${seen.results.length}.`, hides: 'A hidden step.' };
  switch (seen.results.length) {
    case 0:
      return { ...reasoning, calls: [tools.write(`${folder}/notes.txt`)] };
    case 1:
      return { ...reasoning, says: 'I read it back.', calls: [tools.read(`${folder}/notes.txt`)] };
    case 2:
      return {
        ...reasoning,
        calls: ['one', 'two'].map((name) => {
          const text = JOB_FILES[`${name}.txt`]?.trim();
          return tools.run(`echo ${text} | tee '${folder}/${name}.txt'`);
        }),
      };
    default:
      return { ...reasoning, says: getAnswer(seen) };
  }
}

function getAnswer({ results }: SeenConversation): string {
  const [, read, one, two] = results.map(({ text }) => text);
  const isWhole =
    read?.includes(NOTES.trim()) === true &&
    one?.includes('first') === true &&
    two?.includes('second') === true;
  return isWhole ? JOB_ANSWER : `The results are ${JSON.stringify(results)}`;
}
