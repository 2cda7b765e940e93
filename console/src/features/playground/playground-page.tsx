import { Boxes, Code, Eraser } from 'lucide-react';
import { useState } from 'react';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { Button } from '../../components/ui/button.tsx';
import { Card } from '../../components/ui/card.tsx';
import { EmptyState } from '../../components/ui/empty-state.tsx';
import { ErrorState } from '../../components/ui/error-state.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { useCatalogue } from '../../lib/catalogue.ts';
import { useCurrentAccount } from '../../lib/current-account.ts';
import { findSampleModel, listChatModels } from '../../lib/sample-model.ts';
import type { Catalogue } from '../../lib/trpc.ts';
import { CodeDialog } from './code-dialog.tsx';
import { Composer } from './composer.tsx';
import { clearConversation, usePlayground } from './playground-store.ts';
import { SettingsPanel } from './settings-panel.tsx';
import { TurnList } from './turn-list.tsx';
import { useSender } from './use-sender.ts';
import { useSettings } from './use-settings.ts';

/** Chat with a model through the real API. */
export function PlaygroundPage() {
  const account = useCurrentAccount();
  const catalogue = useCatalogue(account.id);
  const { settings } = useSettings();
  const models = catalogue.data?.models ?? [];
  const wanted = listChatModels(models).find(({ id }) => id === settings.model);
  const model = wanted ?? findSampleModel(models);
  if (catalogue.data !== undefined && model !== undefined)
    return <Ready key={account.id} accountId={account.id} catalogue={catalogue.data} model={model.id} />;
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

function Ready(props: { accountId: string; catalogue: Catalogue; model: string }) {
  const { accountId, catalogue, model } = props;
  const state = usePlayground(accountId);
  const sender = useSender(model);
  const [isCodeOpen, setIsCodeOpen] = useState(false);
  return (
    <>
      <Header>
        {state.turns.length > 0 && (
          <Button onClick={() => clearConversation(accountId)}>
            <Eraser aria-hidden className="size-4" />
            Clear
          </Button>
        )}
        <Button onClick={() => setIsCodeOpen(true)}>
          <Code aria-hidden className="size-4" />
          View code
        </Button>
      </Header>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_300px]">
        <Card className="flex h-[calc(100dvh-150px)] min-h-[460px] flex-col max-lg:order-2 max-lg:h-[58dvh]">
          <TurnList turns={state.turns} catalogue={catalogue} onAgain={sender.again} />
          <Composer accountId={accountId} sender={sender} />
        </Card>
        <SettingsPanel accountId={accountId} catalogue={catalogue} model={model} error={sender.toolsError} />
      </div>
      {isCodeOpen && (
        <CodeDialog accountId={accountId} options={sender.options} onClose={() => setIsCodeOpen(false)} />
      )}
    </>
  );
}
