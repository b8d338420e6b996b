export interface FollowOptions {
  /** Events after this number only; all from the first where it is not given. */
  afterSeq?: number;
  signal?: AbortSignal;
}
