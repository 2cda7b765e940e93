import type { BuiltInProvider } from '@tollgate/db/queries/catalogue/built-ins';
import { listModelsOfPreset } from '@tollgate/upstreams/catalogue/model-catalogue';
import type { ApiEnv } from '../env.ts';

type Address = Omit<BuiltInProvider, 'models'>;

/** Needs no network and no credential: the first request of a new user runs the whole pipeline. */
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

/** The settings that add built-in providers. */
type BuiltInEnv = Partial<
  Pick<ApiEnv, 'DATABASE_URL' | 'DEMO_PROVIDER' | 'OPENAI_API_KEY' | 'ANTHROPIC_API_KEY'>
>;

/** The providers that are added automatically, each with its models from the catalogue. */
export function listBuiltInProviders(env: BuiltInEnv, nowMs: number): BuiltInProvider[] {
  const isDemoOn = (env.DEMO_PROVIDER ?? (env.DATABASE_URL === undefined ? 'on' : 'off')) === 'on';
  const addresses = [
    ...(isDemoOn ? [DEMO] : []),
    ...(env.OPENAI_API_KEY === undefined ? [] : [OPENAI]),
    ...(env.ANTHROPIC_API_KEY === undefined ? [] : [ANTHROPIC]),
  ];
  return addresses.map((address) => ({
    ...address,
    models: listModelsOfPreset(address.preset ?? address.name, nowMs),
  }));
}
