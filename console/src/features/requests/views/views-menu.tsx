import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { hasRole } from '@tollgate/core/people/roles';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '../../../components/ui/dropdown-menu.tsx';
import { lazyDialog } from '../../../components/ui/lazy-dialog.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { copyText } from '../../../lib/copy-text.ts';
import { useCurrentAccount } from '../../../lib/current-account.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { useIsViewing } from '../../../lib/session.ts';
import { toast } from '../../../lib/toast.ts';
import { trpc, type SavedView } from '../../../lib/trpc.ts';
import type { RequestsSearch } from '../search.ts';
import { isUnchanged, toSavedFilter, toViewSearch } from './view-filter.ts';

const ViewDialog = lazyDialog(async () => (await import('./view-dialog.tsx')).ViewDialog);

type Opened = 'new' | 'edit' | 'delete' | null;

interface ViewsMenuProps {
  search: RequestsSearch;
  isOpenAtFirst: boolean;
}

/** Saved filters of the log: to choose, save, share, rename and delete. */
export function ViewsMenu({ search, isOpenAtFirst }: ViewsMenuProps) {
  const account = useCurrentAccount();
  const isViewing = useIsViewing();
  const navigate = useNavigate({ from: '/requests' });
  const [opened, setOpened] = useState<Opened>(null);
  const accountId = account.id;
  const list = useQuery(trpc.views.list.queryOptions({ accountId }));
  const views = list.data?.views ?? [];
  const current = views.find(({ id }) => id === search.view) ?? null;
  const isEdited = current !== null && !isUnchanged(search, current.filter);
  const open = (next: RequestsSearch) => void navigate({ search: next, resetScroll: false });
  const close = () => setOpened(null);
  const update = useMutation(
    trpc.views.change.mutationOptions({
      onSuccess: async () => {
        await refresh();
        toast.success('View updated');
      },
      onError: (error) => toast.error('The view was not updated', { description: describeError(error) }),
    }),
  );
  const remove = useMutation(
    trpc.views.remove.mutationOptions({
      onSuccess: async () => {
        open({ ...search, view: undefined });
        close();
        await refresh();
        toast.success('View deleted');
      },
    }),
  );
  return (
    <>
      <DropdownMenu defaultOpen={isOpenAtFirst}>
        <DropdownMenuTrigger asChild>
          <Button>
            <Bookmark aria-hidden className="size-[15px] shrink-0" />
            <span className="max-w-40 truncate">{current?.name ?? 'Views'}</span>
            {isEdited && <span className="text-ink-3">(changed)</span>}
          </Button>
        </DropdownMenuTrigger>
        <DropdownMenuContent align="end" className="max-h-[70vh] max-w-72 overflow-y-auto">
          <DropdownMenuLabel>Saved views</DropdownMenuLabel>
          <ViewList views={views} currentId={current?.id} onOpen={(view) => open(toViewSearch(view))} />
          <DropdownMenuSeparator />
          {!isViewing && (
            <>
              {isEdited && current.canChange && (
                <DropdownMenuItem
                  onSelect={() => update.mutate({ accountId, id: current.id, filter: toSavedFilter(search) })}
                >
                  Update this view
                </DropdownMenuItem>
              )}
              <DropdownMenuItem onSelect={() => setOpened('new')}>Save as new view…</DropdownMenuItem>
            </>
          )}
          <DropdownMenuItem onSelect={() => void copyLink()}>Copy link</DropdownMenuItem>
          {!isViewing && current?.canChange === true && (
            <>
              <DropdownMenuItem onSelect={() => setOpened('edit')}>Rename or share…</DropdownMenuItem>
              <DropdownMenuItem isDanger onSelect={() => setOpened('delete')}>
                Delete view…
              </DropdownMenuItem>
            </>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      {(opened === 'new' || opened === 'edit') && (
        <ViewDialog
          accountId={accountId}
          view={opened === 'edit' ? current : null}
          filter={toSavedFilter(search)}
          mayShare={hasRole(account.role, 'member')}
          onSaved={(id) => open({ ...search, view: id })}
          onClose={close}
        />
      )}
      {opened === 'delete' && current !== null && (
        <ConfirmDialog
          title={`Delete the view ${current.name}?`}
          description={
            current.isShared ? 'It is deleted for all members of the account.' : 'Only you can see this view.'
          }
          action="Delete view"
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ accountId, id: current.id })}
          onClose={close}
        />
      )}
    </>
  );
}

const refresh = () => queryClient.invalidateQueries(trpc.views.pathFilter());

async function copyLink(): Promise<void> {
  if (await copyText(window.location.href)) toast.success('Link copied');
  else toast.error('The link was not copied');
}

interface ViewListProps {
  views: readonly SavedView[];
  currentId: string | undefined;
  onOpen: (view: SavedView) => void;
}

function ViewList({ views, currentId, onOpen }: ViewListProps) {
  if (views.length === 0)
    return <p className="px-2.5 py-1 text-[13px] text-ink-2">Set filters, then save them here.</p>;
  return (
    <DropdownMenuRadioGroup value={currentId ?? ''}>
      {views.map((view) => (
        <DropdownMenuRadioItem key={view.id} value={view.id} onSelect={() => onOpen(view)}>
          {view.name}
          {view.isShared && (
            <span className="block truncate text-xs text-ink-3">
              Shared{view.createdBy !== null && ` by ${view.createdBy}`}
            </span>
          )}
        </DropdownMenuRadioItem>
      ))}
    </DropdownMenuRadioGroup>
  );
}
