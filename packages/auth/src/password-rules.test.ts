import { describe, expect, it } from 'vitest';
import { findPasswordProblem } from './password-rules.ts';

const EMAIL = 'grace.hopper@navy.example';

describe('findPasswordProblem', () => {
  it.each(['qwertyuiop', 'Password123', 'BASKETBALL', '1q2w3e4r5t', 'iloveyou12'])(
    'refuses %s as one of the commonest',
    (password) => expect(findPasswordProblem(password, EMAIL)).toBe('common'),
  );

  it.each(['zzzzzzzzzzzzzz', 'xo9xo9xo9xo9xo9', '7b7b7b7b7b7b7'])(
    'refuses %s as a repetition',
    (password) => {
      expect(findPasswordProblem(password, EMAIL)).toBe('repeated');
    },
  );

  it.each(['fedcbazyxwvuts', '56789012345678', 'ghijklmnopqrstuv'])('refuses %s as a run', (password) => {
    expect(findPasswordProblem(password, EMAIL)).toBe('sequence');
  });

  it.each(['grace.hopper', 'Grace.Hopper@navy.example', 'tollgate2026', 'navy.example1'])(
    'refuses %s as known of the person or the product',
    (password) => expect(findPasswordProblem(password, EMAIL)).toBe('personal'),
  );

  it.each(['correct horse battery staple', 'v9#Lq2!mZx', 'the tollgate opens at noon'])(
    'lets %s pass',
    (password) => expect(findPasswordProblem(password, EMAIL)).toBeNull(),
  );
});
