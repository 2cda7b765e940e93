import { mintApiKey } from '@tollgate/auth/api-key';
import { MAX_OVERLAP_MS } from '@tollgate/core/keys/key-rotation';
import { formatUsd, parseUsd } from '@tollgate/core/money/money';
import { findKeyOverview } from '@tollgate/db/queries/keys/key-overview';
import { rotateKey, type RotateKeyDenial } from '@tollgate/db/queries/keys/rotate-key';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand } from '../../command.ts';
import { Failure } from '../../failure.ts';
import { withInstallation } from '../../installation.ts';
import { expiryOption, resolveExpiry } from '../../options/expiry-option.ts';
import { moment } from '../../output/format.ts';
import { keyNotFound } from './key-not-found.ts';
import { keyJson, newKeyText } from './key-view.ts';

const DAY_MS = 86_400_000;

export function addKeyRotate(key: Command): void {
  addCommand(key, {
    usage: 'rotate <KEY_ID>',
    summary: 'Replace a key with a new one of the same scope; the secret is shown only once',
    options: [
      {
        flags: '--old-key-ends <when>',
        about: `when the old key stops: 12h, a date or a time, at most ${MAX_OVERLAP_MS / DAY_MS}d (default: now)`,
      },
      {
        flags: '--keep-budget <usd>',
        about: 'part of the remaining budget for the old key until it stops (default: 0)',
      },
    ],
    positional: ['keyId'],
    input: z.object({
      keyId: z.string(),
      oldKeyEnds: expiryOption.optional(),
      keepBudget: z
        .string()
        .transform((text) => parseUsd(text))
        .refine((amount) => amount !== null, 'Enter an amount in USD, such as 10 or 0.25')
        .optional(),
    }),
    examples: [
      'tollgate key rotate key_01k9zc4t7q8wf3m2n5p6r8s0tv',
      'tollgate key rotate key_01k9zc4t7q8wf3m2n5p6r8s0tv --old-key-ends 12h --keep-budget 2',
    ],
    run: ({ keyId, oldKeyEnds, keepBudget }, { env, clock }) =>
      withInstallation(env, async ({ db }) => {
        const old = await findKeyOverview(db, keyId);
        if (old === null) throw keyNotFound(keyId);
        const endsAt = oldKeyEnds === undefined ? null : resolveExpiry(oldKeyEnds, clock.nowMs());
        const minted = mintApiKey();
        const rotated = await rotateKey(db, clock, {
          keyId,
          accountId: old.accountId,
          actorUserId: null,
          endsAt,
          keepNanoUsd: keepBudget ?? 0n,
          minted,
        });
        if (!rotated.ok) throw denied(keyId, rotated);
        const fresh = await findKeyOverview(db, rotated.key.id);
        if (fresh === null) throw keyNotFound(rotated.key.id);
        const { id, ...rest } = keyJson(fresh, clock.nowMs());
        const ended = endsAt === null ? 'is revoked' : `stops on ${moment(endsAt)}`;
        return {
          json: {
            id,
            key: minted.key,
            ...rest,
            replaces: keyId,
            oldKeyEndsAt: endsAt?.toISOString() ?? null,
          },
          text: `${newKeyText(fresh, minted.key)}\n\nThe old key ${keyId} ${ended}.`,
        };
      }),
  });
}

function denied(keyId: string, denial: RotateKeyDenial): Failure {
  switch (denial.reason) {
    case 'not_found':
      return keyNotFound(keyId);
    case 'has_ended':
      return new Failure('has_ended', 'This key is revoked or expired. Create a new key instead.');
    case 'already_replaced':
      return new Failure('already_replaced', 'This key was already rotated. Rotate the new key instead.');
    case 'end_out_of_range':
      return new Failure(
        'end_out_of_range',
        `--old-key-ends must be in the future, and at most ${MAX_OVERLAP_MS / DAY_MS} days away`,
      );
    case 'budget_spent':
      return new Failure('budget_spent', 'The budget of this key is used up. Create a new key instead.');
    case 'keeps_too_much':
      return new Failure(
        'keeps_too_much',
        `--keep-budget must be less than the remaining $${formatUsd(denial.leftNanoUsd)}`,
      );
  }
}
