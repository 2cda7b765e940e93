import type { SubjectServer } from '../subjects/subject.ts';

/** It answers `bench-model` with the whole completion and `bench-stream` with the stream of 60 chunks. */
export interface PeerServer extends AsyncDisposable {
  json: SubjectServer;
  sse: SubjectServer;
  /** What it does for a request, compared with Tollgate. */
  note: string;
}
