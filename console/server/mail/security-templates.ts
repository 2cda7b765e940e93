import { layOutMail } from '@tollgate/mail/lay-out-mail';
import type { Mail } from '@tollgate/mail/queue-mail';

// To the person whose login it is, after something that guards it changed.

export function twoFactorOnMail(input: { forgotLink: string }): Mail {
  return layOutMail({
    subject: 'Two-factor sign-in is on',
    paragraphs: [
      'Signing in to your Tollgate account with the password now also asks for a code of your authenticator app. Keep the recovery codes where you find them without your phone.',
    ],
    closing: [`If it was not you, set a new password at once: ${input.forgotLink}`],
  });
}

export function twoFactorOffMail(input: { forgotLink: string }): Mail {
  return layOutMail({
    subject: 'Two-factor sign-in is off',
    paragraphs: [
      'Signing in to your Tollgate account with the password no longer asks for a code. The recovery codes work no more.',
    ],
    closing: [`If it was not you, set a new password at once: ${input.forgotLink}`],
  });
}

export function recoveryCodeUsedMail(input: { left: number; forgotLink: string }): Mail {
  return layOutMail({
    subject: 'A recovery code was used',
    paragraphs: [
      'One of the recovery codes of your Tollgate account was just used in place of your authenticator app.',
      input.left === 0
        ? 'None is left. Make new ones in the settings before you need one.'
        : `${input.left === 1 ? 'One is' : `${input.left} are`} left. You can make new ones in the settings.`,
    ],
    closing: [`If it was not you, set a new password at once: ${input.forgotLink}`],
  });
}

export function recoveryCodesReplacedMail(input: { forgotLink: string }): Mail {
  return layOutMail({
    subject: 'New recovery codes were made',
    paragraphs: ['Your Tollgate account has new recovery codes. The ones before work no more.'],
    closing: [`If it was not you, set a new password at once: ${input.forgotLink}`],
  });
}

/** @param input.name what its person calls the passkey */
export function passkeyAddedMail(input: { name: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: 'A passkey was added',
    paragraphs: [
      `The passkey "${input.name}" can now sign in to your Tollgate account, without the password.`,
    ],
    closing: [
      `If it was not you, sign in, remove the passkey in the settings, and set a new password: ${input.forgotLink}`,
    ],
  });
}

export function passkeyRemovedMail(input: { name: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: 'A passkey was removed',
    paragraphs: [`The passkey "${input.name}" can no longer sign in to your Tollgate account.`],
    closing: [`If it was not you, set a new password at once: ${input.forgotLink}`],
  });
}

/** @param input.device as its browser calls itself: `Firefox on Linux` */
export function newDeviceMail(input: {
  device: string;
  /** null: unknown. */
  address: string | null;
  at: Date;
  settingsLink: string;
  forgotLink: string;
}): Mail {
  const from = input.address === null ? '' : ` from ${input.address}`;
  const time = `${input.at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return layOutMail({
    subject: 'A new device signed in',
    paragraphs: [
      `${input.device} signed in to your Tollgate account${from}, on ${time}. It had not signed in to it before.`,
      'If it was you, there is nothing to do.',
    ],
    action: { label: 'See where you are signed in', link: input.settingsLink },
    closing: [`If it was not you, set a new password at once, which signs it out: ${input.forgotLink}`],
  });
}

/** @param input.step what was guessed: the password, or the code after the right password */
export function signInsPausedMail(input: { step: 'password' | 'code'; forgotLink: string }): Mail {
  const tried =
    input.step === 'password'
      ? 'Many sign-ins to your Tollgate account failed with a wrong password.'
      : 'Someone entered the right password of your Tollgate account, and then many wrong codes.';
  return layOutMail({
    subject: 'Many failed sign-ins to your account',
    paragraphs: [
      `${tried} New devices must wait for up to an hour.`,
      'Devices and networks that you have used before can still sign in.',
    ],
    closing: [
      input.step === 'password'
        ? `To sign in on a new device now, set a new password: ${input.forgotLink}`
        : `Set a new password now: ${input.forgotLink}`,
    ],
  });
}

export function accountDeletedMail(): Mail {
  return layOutMail({
    subject: 'Your Tollgate account is deleted',
    paragraphs: [
      'Your login is deleted: your e-mail address, name, sessions and passkeys are erased, and the API keys of your account work no more.',
      'Requests, payments and the ledger stay for the books, under a pseudonym that no longer names you.',
    ],
    closing: ['If it was not you, tell the operator of this installation at once.'],
  });
}
