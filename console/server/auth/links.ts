import type { ConsoleSettings } from '../deps.ts';

const PATHS = {
  verify: '/verify?token=',
  reset: '/reset?token=',
  confirmEmail: '/settings/confirm-email?token=',
  join: '/join?token=',
  /** Opens it in the account of that id. */
  team: '/team?account=',
  operatorSignUp: '/sign-up?operator=',
  localTools: '/dev/open?token=',
  settings: '/settings',
  signIn: '/sign-in',
  forgot: '/forgot',
} as const;

/**
 * A link into the console, as emails and the terminal show it.
 * @param returnTo the page to open afterwards, in addition to a token
 */
export function linkTo(
  settings: Pick<ConsoleSettings, 'publicConsoleUrl'>,
  page: keyof typeof PATHS,
  token = '',
  returnTo?: string,
): string {
  const link = settings.publicConsoleUrl + PATHS[page] + token;
  return returnTo === undefined ? link : `${link}&redirect=${encodeURIComponent(returnTo)}`;
}
