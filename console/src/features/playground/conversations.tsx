import { Card } from '../../components/ui/card.tsx';
import { cn } from '../../lib/cn.ts';
import type { Catalogue } from '../../lib/trpc.ts';
import { compareAnswers } from './compare-answers.ts';
import { Composer } from './composer.tsx';
import { getConversation } from './conversation.ts';
import { ModelColumn } from './model-column.tsx';
import { usePlayground } from './playground-store.ts';
import { TurnList } from './turn-list.tsx';
import type { useModels } from './use-models.ts';
import type { useSender } from './use-sender.ts';

interface ConversationsProps {
  accountId: string;
  catalogue: Catalogue;
  sender: ReturnType<typeof useSender>;
  choice: ReturnType<typeof useModels>;
}

/** The conversations with all models next to each other, with one message input. On phones they scroll sideways. */
export function Conversations({ accountId, catalogue, sender, choice }: ConversationsProps) {
  const { conversations } = usePlayground(accountId);
  const { models } = sender.options;
  const shown = models.map((_, place) => getConversation(conversations, place));
  const isComparing = models.length > 1;
  const distinctions = isComparing ? compareAnswers(shown, catalogue) : [];
  return (
    <Card
      className={cn(
        'flex h-[calc(100dvh-150px)] min-h-[460px] min-w-0 flex-col',
        // The settings are above.
        isComparing
          ? 'max-[112rem]:order-2 max-[112rem]:h-[calc(100dvh-210px)] max-lg:h-[70dvh]'
          : 'max-lg:order-2 max-lg:h-[58dvh]',
      )}
    >
      {isComparing ? (
        <div className="relative grid min-h-0 flex-1 snap-x auto-cols-[minmax(min(85%,300px),1fr)] grid-flow-col divide-x overflow-x-auto rounded-t-xl">
          {models.map((model, place) => (
            <ModelColumn
              // The place is the identity: the model of a place can change.
              key={place}
              catalogue={catalogue}
              model={model}
              number={place + 1}
              turns={shown[place] ?? []}
              distinctions={distinctions[place] ?? []}
              canSend={sender.isPayable && sender.toolsError === null}
              onChoose={(next) => choice.choose(place, next)}
              onRemove={() => choice.remove(place)}
              onAgain={() => sender.again(place)}
            />
          ))}
        </div>
      ) : (
        <TurnList
          label="Conversation"
          turns={shown[0] ?? []}
          catalogue={catalogue}
          onAgain={() => sender.again(0)}
        />
      )}
      <Composer accountId={accountId} sender={sender} />
    </Card>
  );
}
