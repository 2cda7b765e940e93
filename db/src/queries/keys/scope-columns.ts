import type { KeyScope, KeyScopeField } from '@tollgate/core/keys/key-scope';
import { parseUsd } from '@tollgate/core/money/money';
import { apiKeys } from '../../schema/api-keys.ts';

type ApiKeyRow = typeof apiKeys.$inferSelect;

/** The property of `apiKeys` that stores each field of a key's scope. */
export const SCOPE_PROPERTIES = {
  name: 'name',
  allowedModels: 'allowedModels',
  maxBudgetUsd: 'maxBudgetNanoUsd',
  rpm: 'rpm',
  tpm: 'tpm',
  expiresAt: 'expiresAt',
} as const satisfies Record<KeyScopeField, keyof ApiKeyRow>;

/** A scope as it is stored. */
export type StoredScope = Pick<ApiKeyRow, (typeof SCOPE_PROPERTIES)[keyof typeof SCOPE_PROPERTIES]>;

/** The columns of a scope, for a `SELECT`. */
export const SCOPE_COLUMNS = {
  name: apiKeys.name,
  allowedModels: apiKeys.allowedModels,
  maxBudgetNanoUsd: apiKeys.maxBudgetNanoUsd,
  rpm: apiKeys.rpm,
  tpm: apiKeys.tpm,
  expiresAt: apiKeys.expiresAt,
} satisfies { [Property in keyof StoredScope]: (typeof apiKeys)[Property] };

/** The columns of a new key's scope. */
export function encodeScope(scope: KeyScope): StoredScope {
  return {
    name: scope.name,
    allowedModels: scope.allowedModels,
    maxBudgetNanoUsd: scope.maxBudgetUsd === null ? null : parseUsd(scope.maxBudgetUsd),
    rpm: scope.rpm,
    tpm: scope.tpm,
    expiresAt: scope.expiresAt === null ? null : new Date(scope.expiresAt),
  };
}

/** The scope of a stored key, for the key that replaces it. */
export function copyScope(key: StoredScope): StoredScope {
  return {
    name: key.name,
    allowedModels: key.allowedModels,
    maxBudgetNanoUsd: key.maxBudgetNanoUsd,
    rpm: key.rpm,
    tpm: key.tpm,
    expiresAt: key.expiresAt,
  };
}
