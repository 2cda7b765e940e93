import { THEMES } from '@tollgate/core/people/display-preferences';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Boxes, KeyRound, Keyboard, LogOut, Plus, SunMoon } from 'lucide-react';
import { paths } from '../../../lib/paths.ts';
import { usePages } from '../pages.ts';
import { openShortcuts } from '../shortcuts-dialog.tsx';
import { useCatalogue } from '../../../lib/catalogue.ts';
import { hasRole } from '@tollgate/core/people/roles';
import { wishNewKey } from '../../../lib/new-key-wish.ts';
import { chooseTheme } from '../../../lib/choose-theme.ts';
import { trpc, type Account } from '../../../lib/trpc.ts';
import { useSignOut } from '../../../lib/use-sign-out.ts';
import type { PaletteItem } from './palette-item.ts';

const THEME_LABELS = { light: 'Light theme', dark: 'Dark theme', system: 'System theme' } as const;

/**
 * Pages, actions, active keys and models that the palette offers to this person before the server has searched.
 * @param account null: they belong to none
 */
export function usePaletteItems(account: Account | null): PaletteItem[] {
  return [...usePageItems(), ...useActions(account), ...useKeysAndModels(account)];
}

function usePageItems(): PaletteItem[] {
  const navigate = useNavigate();
  return usePages().flatMap(({ title, pages }) =>
    pages.flatMap(({ icon, inner = [], ...page }) =>
      [{ ...page, hint: title }, ...inner.map((link) => ({ ...link, hint: page.label }))].map(
        ({ to, label, words, hint }): PaletteItem => ({
          id: to,
          group: 'Pages',
          label,
          icon,
          ...(words === undefined ? {} : { words }),
          ...(hint === null ? {} : { hint }),
          run: () => void navigate({ to }),
        }),
      ),
    ),
  );
}

function useActions(account: Account | null): PaletteItem[] {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const action = (label: string, icon: PaletteItem['icon'], run: () => void): PaletteItem => ({
    id: label,
    group: 'Actions',
    label,
    icon,
    run,
  });
  const mayMakeKeys = account !== null && hasRole(account.role, 'member');
  const newKey = () => {
    wishNewKey();
    void navigate({ to: paths.keys });
  };
  return [
    ...(mayMakeKeys ? [action('Create key', Plus, newKey)] : []),
    ...THEMES.map((choice) => action(THEME_LABELS[choice], SunMoon, () => chooseTheme(choice))),
    action('Keyboard shortcuts', Keyboard, openShortcuts),
    action('Sign out', LogOut, () => signOut.mutate()),
  ];
}

function useKeysAndModels(account: Account | null): PaletteItem[] {
  const navigate = useNavigate();
  const accountId = account?.id ?? '';
  const keys = useQuery(
    trpc.keys.list.queryOptions({ accountId, state: 'active', limit: 5 }, { enabled: account !== null }),
  );
  const catalogue = useCatalogue(accountId);
  const keyItems = (keys.data?.keys ?? []).map((key): PaletteItem => ({
    id: key.id,
    group: 'Keys',
    label: key.name,
    hint: `${key.prefix}…${key.last4}`,
    icon: KeyRound,
    run: () => void navigate({ to: paths.key, params: { keyId: key.id } }),
  }));
  const modelItems = (catalogue.data?.models ?? [])
    .filter((model) => model.availability === 'available')
    .map((model): PaletteItem => ({
      id: model.id,
      group: 'Models',
      label: model.id,
      ...(model.title === '' ? {} : { words: model.title }),
      icon: Boxes,
      run: () => void navigate({ to: paths.models, search: { q: model.id } }),
    }));
  return [...keyItems, ...modelItems];
}
