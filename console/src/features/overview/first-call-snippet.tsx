import { CodeBlock } from '../../components/ui/code-block.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { useCatalogue } from '../../lib/catalogue.ts';
import { findSampleModel } from '../../lib/sample-model.ts';
import { useSession } from '../../lib/session.ts';
import { renderSnippets } from '../../lib/code-samples/first-call.ts';

/** A first request to copy, with an available model. */
export function FirstCallSnippet({ accountId }: { accountId: string }) {
  const { installation } = useSession();
  const { data, isPending } = useCatalogue(accountId);
  if (isPending) return <Skeleton className="mt-2 h-[100px]" />;
  const model = findSampleModel(data?.models ?? [])?.id;
  if (model === undefined)
    return <p className="mt-1 text-ink">No models yet. Ask the operator to add one.</p>;
  const { curl } = renderSnippets({ baseUrl: installation.publicApiUrl, secret: '', model });
  return (
    <div className="relative mt-2">
      <CodeBlock label="First request with curl" code={curl} />
      <CopyButton
        text={curl}
        label="Copy request"
        isIconOnly
        size="icon"
        className="absolute top-2 right-2 bg-surface"
      />
    </div>
  );
}
