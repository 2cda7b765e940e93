import { keyScopeSchema, type KeyScope, type KeyScopeField } from '@tollgate/core/keys/key-scope';
import { keyTagsSchema } from '@tollgate/core/keys/key-tags';
import { z } from 'zod';
import { readTags } from '../tags/read-tags.ts';
import { EXPIRY_CHOICES, getExpiry } from './expiry.ts';
import { plainNumber } from '../../../lib/typed-number.ts';

/** Form fields with the names of the scope's fields, so that errors from both sides map to form fields. */
const scopeFields = {
  name: z.string(),
  allowedModels: z.array(z.string()),
  maxBudgetUsd: z.string(),
  rpm: z.string(),
  tpm: z.string(),
  /** Value of a `datetime-local` field, used if `expires` is `on`. */
  expiresAt: z.string(),
} satisfies Record<KeyScopeField, z.ZodType>;

const inputSchema = z.object({
  ...scopeFields,
  expires: z.enum(EXPIRY_CHOICES),
  /** Comma-separated. */
  tags: z.string(),
});

/** Parses the form into a key's scope and tags with the server's schemas. Empty means no limit. */
export const newKeySchema = inputSchema
  .transform((form) => ({ ...readScope(form), tags: readTags(form.tags) }))
  .pipe(
    keyScopeSchema
      .extend({ tags: keyTagsSchema })
      .refine((scope) => scope.expiresAt === null || Date.parse(scope.expiresAt) > Date.now(), {
        path: ['expiresAt'],
        message: 'Choose a time in the future',
      }),
  );

export type NewKeyForm = z.input<typeof newKeySchema>;
export type NewKeyScope = z.output<typeof newKeySchema>;

export const EMPTY_FORM: NewKeyForm = {
  name: '',
  allowedModels: [],
  maxBudgetUsd: '',
  rpm: '',
  tpm: '',
  expires: 'never',
  expiresAt: '',
  tags: '',
};

function readScope(form: z.output<typeof inputSchema>): KeyScope {
  const expiry = getExpiry(form.expires, form.expiresAt, Date.now());
  return {
    name: form.name,
    allowedModels: form.allowedModels.length === 0 ? null : form.allowedModels,
    maxBudgetUsd: textOrNull(form.maxBudgetUsd),
    rpm: countOrNull(form.rpm),
    tpm: countOrNull(form.tpm),
    expiresAt: expiry instanceof Date ? expiry.toISOString() : expiry,
  };
}

function textOrNull(text: string): string | null {
  const plain = plainNumber(text);
  return plain === '' ? null : plain;
}

/** NaN if the text is not a plain number, which the schema rejects. */
function countOrNull(text: string): number | null {
  const plain = plainNumber(text);
  if (plain === '') return null;
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : NaN;
}
