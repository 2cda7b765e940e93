import { findPasswordFault, type PasswordFault } from '@tollgate/auth/password-rules';
import { deny } from '../denial.ts';

const SENTENCES: Record<PasswordFault, string> = {
  common: 'This password is one of the first that are guessed. Choose another one.',
  repeated: 'This password says the same thing again and again. Choose another one.',
  sequence: 'This password follows the keyboard or the alphabet. Choose another one.',
  personal: 'This password is too close to your e-mail address or the name Tollgate. Choose another one.',
};

/** @param field the form's name of the password. @throws BAD_REQUEST */
export function checkNewPassword(password: string, email: string, field: string): void {
  const fault = findPasswordFault(password, email);
  if (fault !== null) throw deny('BAD_REQUEST', SENTENCES[fault], { field });
}
