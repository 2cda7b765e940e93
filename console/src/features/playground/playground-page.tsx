import { Boxes, Code, Columns3, Eraser, Share2 } from 'lucide-react';
import { useState } from 'react';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { lazyDialog } from '../../components/ui/lazy-dialog.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { useCatalogue } from '../../lib/catalogue.ts';
import { cn } from '../../lib/cn.ts';
import { useCurrentAccount } from '../../lib/current-account.ts';
import type { Catalogue } from '../../lib/trpc.ts';
import { Conversations } from './conversations.tsx';
import { clearConversation, usePlayground } from './playground-store.ts';
import { SettingsPanel } from './settings-panel.tsx';
import { listShownModels, useModels } from './use-models.ts';
import { useSender } from './use-sender.ts';
import { useSettings } from './use-settings.ts';
import { useSharedLink } from './use-shared-link.ts';

const CodeDialog = lazyDialog(async () => (await import('./code-dialog.tsx')).CodeDialog);
const ReplaceDialog = lazyDialog(async () => (await import('./replace-dialog.tsx')).ReplaceDialog);
const ShareDialog = lazyDialog(async () => (await import('./share-dialog.tsx')).ShareDialog);

/** Chat with up to three models side by side through the real API. */
export function PlaygroundPage() {
  const account = useCurrentAccount();
  const catalogue = useCatalogue(account.id);
  const { settings } = useSettings();
  const models = catalogue.data === undefined ? [] : listShownModels(catalogue.data, settings);
  if (catalogue.data !== undefined && models.length > 0)
    return <Ready key={account.id} accountId={account.id} catalogue={catalogue.data} models={models} />;
  return (
    <>
      <Header />
      <Card>
        {catalogue.isError && (
          <ErrorState
            title="The models could not be loaded"
            error={catalogue.error}
            isRetrying={catalogue.isFetching}
            onRetry={() => void catalogue.refetch()}
          />
        )}
        {catalogue.isPending && <Skeleton className="m-4 h-96" />}
        {catalogue.isSuccess && (
          <EmptyState icon={Boxes} title="No models available">
            This account has no chat model with a price and a route yet.
          </EmptyState>
        )}
      </Card>
    </>
  );
}

function Header({ children }: { children?: React.ReactNode }) {
  return (
    <PageHeader title="Playground" action={children}>
      Playground requests use a real API key. Limits and the prices of your plan apply.
    </PageHeader>
  );
}

interface ReadyProps {
  accountId: string;
  catalogue: Catalogue;
  /** At least one. */
  models: readonly string[];
}

function Ready({ accountId, catalogue, models }: ReadyProps) {
  const { conversations } = usePlayground(accountId);
  const sender = useSender(models);
  const choice = useModels(accountId, catalogue, models);
  const [opened, setOpened] = useState<'code' | 'share' | null>(null);
  const link = useSharedLink(accountId);
  const isComparing = models.length > 1;
  return (
    <>
      <Header>
        {conversations.some((turns) => turns.length > 0) && (
          <Button onClick={() => clearConversation(accountId)}>
            <Eraser aria-hidden className="size-4" />
            Clear
          </Button>
        )}
        {choice.canAdd && (
          <Button onClick={choice.add}>
            <Columns3 aria-hidden className="size-4" />
            {isComparing ? 'Add model' : 'Compare'}
          </Button>
        )}
        <Button onClick={() => setOpened('share')}>
          <Share2 aria-hidden className="size-4" />
          Share
        </Button>
        <Button onClick={() => setOpened('code')}>
          <Code aria-hidden className="size-4" />
          View code
        </Button>
      </Header>
      <div
        className={cn(
          'grid items-start gap-4',
          isComparing ? 'min-[112rem]:grid-cols-[minmax(0,1fr)_300px]' : 'lg:grid-cols-[minmax(0,1fr)_300px]',
        )}
      >
        <Conversations accountId={accountId} catalogue={catalogue} sender={sender} choice={choice} />
        <SettingsPanel
          accountId={accountId}
          catalogue={catalogue}
          models={models}
          error={sender.toolsError}
        />
      </div>
      {link.needsAnswer && <ReplaceDialog onReplace={link.replace} onKeep={link.keep} />}
      {opened === 'code' && (
        <CodeDialog accountId={accountId} options={sender.options} onClose={() => setOpened(null)} />
      )}
      {opened === 'share' && (
        <ShareDialog accountId={accountId} models={models} onClose={() => setOpened(null)} />
      )}
    </>
  );
}
