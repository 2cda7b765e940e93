import { layOutMail } from '@tollgate/mail/lay-out-mail';
import type { Mail } from '@tollgate/mail/queue-mail';

// To the person whose login it is, after something that guards it changed.

export function twoFactorOnMail(input: { forgotLink: string }): Mail {
  return layOutMail({
    subject: 'Two-factor authentication is on',
    paragraphs: [
      'Signing in to your Tollgate account now requires a code from your authenticator app. Keep your recovery codes where you can find them without your phone.',
    ],
    closing: [`If this was not you, set a new password immediately: ${input.forgotLink}`],
  });
}

export function twoFactorOffMail(input: { forgotLink: string }): Mail {
  return layOutMail({
    subject: 'Two-factor authentication is off',
    paragraphs: [
      'Signing in to your Tollgate account no longer requires a code. Your recovery codes no longer work.',
    ],
    closing: [`If this was not you, set a new password immediately: ${input.forgotLink}`],
  });
}

export function recoveryCodeUsedMail(input: { left: number; forgotLink: string }): Mail {
  return layOutMail({
    subject: 'A recovery code was used',
    paragraphs: [
      'A recovery code of your Tollgate account was used instead of your authenticator app.',
      input.left === 0
        ? 'You have no recovery codes left. Generate new codes in the settings.'
        : `You have ${input.left} recovery ${input.left === 1 ? 'code' : 'codes'} left. You can generate new codes in the settings.`,
    ],
    closing: [`If this was not you, set a new password immediately: ${input.forgotLink}`],
  });
}

export function recoveryCodesReplacedMail(input: { forgotLink: string }): Mail {
  return layOutMail({
    subject: 'New recovery codes were generated',
    paragraphs: ['Your Tollgate account has new recovery codes. The old codes no longer work.'],
    closing: [`If this was not you, set a new password immediately: ${input.forgotLink}`],
  });
}

/** @param input.name the user's name of the passkey */
export function passkeyAddedMail(input: { name: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: 'A passkey was added',
    paragraphs: [
      `The passkey "${input.name}" can now sign in to your Tollgate account without the password.`,
    ],
    closing: [
      `If this was not you, remove the passkey in the settings and set a new password: ${input.forgotLink}`,
    ],
  });
}

export function passkeyRemovedMail(input: { name: string; forgotLink: string }): Mail {
  return layOutMail({
    subject: 'A passkey was removed',
    paragraphs: [`The passkey "${input.name}" can no longer sign in to your Tollgate account.`],
    closing: [`If this was not you, set a new password immediately: ${input.forgotLink}`],
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
      `${input.device} signed in to your Tollgate account${from}, on ${time}. This device is new.`,
      'If this was you, you can ignore this email.',
    ],
    action: { label: 'View sessions', link: input.settingsLink },
    closing: [
      `If this was not you, set a new password immediately. This signs the device out: ${input.forgotLink}`,
    ],
  });
}

/** @param input.step the guessed factor: the password, or the code after the right password */
export function signInsPausedMail(input: { step: 'password' | 'code'; forgotLink: string }): Mail {
  const tried =
    input.step === 'password'
      ? 'Many sign-ins to your Tollgate account failed with a wrong password.'
      : 'Someone entered the correct password of your Tollgate account and then many wrong codes.';
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
      'Your Tollgate account is deleted. Your email address, name, sessions and passkeys are erased. Your API keys no longer work.',
      'Requests, payments and ledger entries are kept under a pseudonym for accounting.',
    ],
    closing: ['If this was not you, contact the operator of this installation immediately.'],
  });
}

export function confirmIdentityMail(input: { code: string; settingsLink: string }): Mail {
  return layOutMail({
    subject: 'Your Tollgate confirmation code',
    paragraphs: [
      'Someone who is signed in as you wants to change a security setting. If this is you, enter this code:',
    ],
    code: input.code,
    closing: [
      'The code expires in 15 minutes and works once, in the browser that asked for it.',
      `If this was not you, sign out all devices in the settings: ${input.settingsLink}`,
    ],
  });
}
