/** The ids are part of URLs and of the command line. */
export const CLIENT_IDS = [
  'claude-code',
  'codex',
  'opencode',
  'qwen-code',
  'cline',
  'continue',
  'aider',
  'ai-sdk',
  'langchain',
  'openai',
  'anthropic',
  'curl',
] as const;
export type ClientId = (typeof CLIENT_IDS)[number];

/** The variable that every configuration reads the key from. */
export const KEY_VARIABLE = 'SERVICE_API_KEY';

export interface SetupInput {
  /** The address of the api; it ends with `/v1`. */
  baseUrl: string;
  /** A model that the key may use. */
  model: string;
  /** The model for small tasks, for agents that have one; it may be the same. */
  smallModel: string;
}

/** A file of the client, with the settings to add to it. It contains no key, only the name of the variable. */
export interface ConfigFile {
  /** `~` is the home folder. */
  path: string;
  format: 'json' | 'toml' | 'yaml';
  text: string;
  /** Settings to remove, by the names that lead to them, because the client prefers them to these; absent: none. */
  replaces?: readonly (readonly string[])[];
}

/** One way to configure a client. */
export interface ClientSetup {
  /** Lines for a shell. null: none. */
  shell: string | null;
  file: ConfigFile | null;
  /** True: the file needs the lines for the shell too. False: either one configures the client. */
  needsBoth: boolean;
  /** A program that sends a first request. */
  code: { language: 'python' | 'typescript'; text: string } | null;
  /** The command that starts the client, or the file of the program. */
  run: string;
}

/** A program that calls the api, and how its own documentation configures another address for it. */
export interface Client {
  id: ClientId;
  title: string;
  kind: 'agent' | 'sdk' | 'shell';
  /** Families of user agents that identify it, as `clientFamily` finds them. */
  families: readonly string[];
  /** Families of user agents that it sends, but that belong to an SDK that other programs use too. */
  sharedFamilies: readonly string[];
  /** What else sends the same user agents; null: nothing known. */
  sharedWith: string | null;
  /** The endpoint of the api that it calls with this configuration. */
  endpoint: '/v1/messages' | '/v1/responses' | '/v1/chat/completions';
  /** The command that installs it. null: part of most systems. */
  install: string | null;
  /** The page of its documentation that describes this configuration. */
  docs: string;
  /** The newest version that read this configuration in a test. */
  testedVersion: string;
  /** Models that it requests unless the configuration names another one; empty: it has no default. */
  defaultModels: readonly string[];
  /** What works, and known limits, in short sentences. */
  notes: { native: string; translated: string; limits: readonly string[] };
  setUp: (input: SetupInput) => ClientSetup;
}
