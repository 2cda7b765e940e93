/** The texts of a coding agent's session: of the sizes of real ones, always the same. */
const SENTENCE = 'Read the file before you change it, keep the change small, and report what you did. ';

const getText = (seed: string, length: number): string =>
  `${seed}: ${SENTENCE.repeat(Math.ceil(length / SENTENCE.length))}`.slice(0, length);

export const SYSTEM_PROMPT = getText('You are a coding agent', 12_000);
export const QUESTION = getText('Fix the failing test', 400);

/** The tools: a name, a description and a JSON Schema. */
export const TOOLS = ['read_file', 'write_file', 'run_command', 'search', 'list_files', 'fetch_page'].map(
  (name) => ({
    name,
    description: getText(name, 1_500),
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: getText('The input', 200) } },
      required: ['input'],
      additionalProperties: false,
    },
  }),
);

/** What a tool returns in a turn: from 200 characters to 3,000. */
export const getResult = (turn: number): string => getText(`Result ${turn}`, 200 + ((turn * 977) % 2_800));

/** What the user says after the model has answered with text. */
export const getNextQuestion = (turn: number): string => getText(`Now do the next step ${turn}`, 150);
