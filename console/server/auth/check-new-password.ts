import { findPasswordProblem, type PasswordProblem } from '@tollgate/auth/password-rules';
import { deny } from '../denial.ts';

const SENTENCES: Record<PasswordProblem, string> = {
  common: 'This password is too common. Choose another one.',
  repeated: 'This password is too repetitive. Choose another one.',
  sequence: 'This password is a keyboard or alphabet sequence. Choose another one.',
  personal: 'This password is too similar to your email address or “Tollgate”. Choose another one.',
};

/** @param field the form's name of the password. @throws BAD_REQUEST */
export function checkNewPassword(password: string, email: string, field: string): void {
  const problem = findPasswordProblem(password, email);
  if (problem !== null) throw deny('BAD_REQUEST', SENTENCES[problem], { field });
}
