import { showTheme, type ThemeChoice } from './theme.ts';

/** Shows a theme immediately, and stores it with the login. */
export function chooseTheme(theme: ThemeChoice): void {
  showTheme(theme);
  // Few visits change it: no page waits for this code. Without a network, the theme still applies here.
  import('./save-display.ts').then(({ saveDisplay }) => saveDisplay({ theme })).catch(() => undefined);
}
