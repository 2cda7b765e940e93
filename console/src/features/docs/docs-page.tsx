import { useNavigate, useSearch } from '@tanstack/react-router';
import { Tabs } from 'radix-ui';
import { PageHeader } from '../../components/layouts/page-header.tsx';
import { SegmentedTabsList } from '../../components/ui/segmented.tsx';
import { ErrorsTopic } from './errors-topic.tsx';
import { LimitsTopic } from './limits-topic.tsx';
import { QuickstartTopic } from './quickstart-topic.tsx';
import { ReferenceTopic } from './reference-topic.tsx';
import { DOC_TOPICS, type DocTopic } from './search.ts';

const LABELS: Readonly<Record<DocTopic, string>> = {
  quickstart: 'Quickstart',
  errors: 'Errors',
  limits: 'Limits and headers',
  reference: 'Reference',
};

/** Developer docs with samples for this installation. */
export function DocsPage() {
  const { topic = 'quickstart' } = useSearch({ from: '/app/docs' });
  const navigate = useNavigate({ from: '/docs' });
  const open = (next: string) => {
    const wanted = DOC_TOPICS.find((known) => known === next) ?? 'quickstart';
    void navigate({ search: wanted === 'quickstart' ? {} : { topic: wanted } });
  };
  return (
    <>
      <PageHeader title="Docs">One API for every model, in the format of your SDK.</PageHeader>
      <Tabs.Root value={topic} onValueChange={open}>
        <SegmentedTabsList
          label="Topics"
          value={topic}
          tabs={DOC_TOPICS.map((value) => ({ value, label: LABELS[value] }))}
        />
        <Tabs.Content value={topic} tabIndex={-1} className="mt-4 focus:outline-none">
          <Topic topic={topic} />
        </Tabs.Content>
      </Tabs.Root>
    </>
  );
}

function Topic({ topic }: { topic: DocTopic }) {
  switch (topic) {
    case 'quickstart':
      return <QuickstartTopic />;
    case 'errors':
      return <ErrorsTopic />;
    case 'limits':
      return <LimitsTopic />;
    case 'reference':
      return <ReferenceTopic />;
  }
}
