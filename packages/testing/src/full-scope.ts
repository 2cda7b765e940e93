import type { KeyScope, KeyScopeField } from '@tollgate/core/keys/key-scope';

/** A scope with a value in every field, so that a test sees a field that is lost on the way. */
export const FULL_SCOPE: { [Field in KeyScopeField]: NonNullable<KeyScope[Field]> } = {
  name: 'full scope',
  allowedModels: ['fake-model'],
  maxBudgetUsd: '12.50',
  rpm: 60,
  tpm: 40_000,
  expiresAt: '2099-01-01T00:00:00.000Z',
};
