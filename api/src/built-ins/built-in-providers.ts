import type { BuiltInProvider } from '@tollgate/db/queries/built-ins';
import { listModelsOfPreset } from '@tollgate/upstreams/catalogue/model-catalogue';

type Address = Omit<BuiltInProvider, 'models'>;

/** Needs no network and no credential: a newcomer's first request goes the whole road. */
const DEMO: Address = { name: 'demo', dialect: 'demo', baseUrl: null, credentialEnv: null, preset: null };

const OPENAI: Address = {
  name: 'openai',
  dialect: 'openai-chat',
  baseUrl: 'https://api.openai.com/v1',
  credentialEnv: 'OPENAI_API_KEY',
  preset: 'openai',
};

const ANTHROPIC: Address = {
  name: 'anthropic',
  dialect: 'anthropic-messages',
  baseUrl: 'https://api.anthropic.com/v1',
  credentialEnv: 'ANTHROPIC_API_KEY',
  preset: 'anthropic',
};

export interface WantedBuiltIns {
  demo: boolean;
  openAi: boolean;
  anthropic: boolean;
}

/** The providers that appear by themselves, each with what the catalogue says that it serves today. */
export function listBuiltInProviders(wanted: WantedBuiltIns, nowMs: number): BuiltInProvider[] {
  const addresses = [
    ...(wanted.demo ? [DEMO] : []),
    ...(wanted.openAi ? [OPENAI] : []),
    ...(wanted.anthropic ? [ANTHROPIC] : []),
  ];
  return addresses.map((address) => ({
    ...address,
    models: listModelsOfPreset(address.preset ?? address.name, nowMs),
  }));
}
