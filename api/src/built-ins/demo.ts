import type { BuiltInProvider } from '@tollgate/db/queries/built-ins';
import { model } from './model.ts';

/** Needs no network and no credential: a newcomer's first request goes the whole road. */
export const demoProvider: BuiltInProvider = {
  name: 'demo',
  dialect: 'demo',
  baseUrl: null,
  credentialEnv: null,
  preset: null,
  models: [
    model('tollgate-demo', {
      contextTokens: 128_000,
      maxOutputTokens: 4_096,
      input: '1',
      output: '4',
      cacheRead: '0.1',
    }),
  ],
};
