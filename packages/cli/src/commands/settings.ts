import { readOperatorTwoFactor, setOperatorTwoFactor } from '@tollgate/db/queries/accounts/two-factor-policy';
import type { Command } from 'commander';
import { z } from 'zod';
import { addCommand, type Output } from '../command.ts';
import { withInstallation, withNewInstallation } from '../installation.ts';

export function addSettingsShow(settings: Command): void {
  addCommand(settings, {
    usage: 'show',
    summary: 'Show installation settings',
    input: z.object({}),
    examples: ['tollgate settings show'],
    run: (_, { env }) => withInstallation(env, async ({ db }) => describe(await readOperatorTwoFactor(db))),
  });
}

export function addSettingsSet(settings: Command): void {
  addCommand(settings, {
    usage: 'set',
    summary: 'Change installation settings',
    options: [
      {
        flags: '--operator-two-factor <required|optional>',
        about: 'whether operators must use two-factor authentication',
        required: true,
      },
    ],
    input: z.object({
      operatorTwoFactor: z.enum(['required', 'optional'], { error: 'must be required or optional' }),
    }),
    examples: [
      'tollgate settings set --operator-two-factor required',
      'tollgate settings set --operator-two-factor optional',
    ],
    run: ({ operatorTwoFactor }, { env, clock }) =>
      withNewInstallation(env, async ({ db }) => {
        const required = operatorTwoFactor === 'required';
        await setOperatorTwoFactor(db, { required, now: new Date(clock.nowMs()), actorUserId: null });
        return describe(await readOperatorTwoFactor(db));
      }),
  });
}

function describe({ required, peopleWithout }: { required: boolean; peopleWithout: number }): Output {
  return {
    json: { operatorTwoFactor: { required, operatorsWithout: peopleWithout } },
    text: `Two-factor for operators  ${required ? 'required' : 'optional'}\nOperators without it      ${peopleWithout}`,
  };
}
