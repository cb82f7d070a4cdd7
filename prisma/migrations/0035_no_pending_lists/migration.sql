-- GIN keeps new words in a list that some writer later sorts in. After a large import that takes longer than a
-- statement may, so that every writer in turn fails. Without the list each writer sorts in its own words.
ALTER INDEX "Memory_similar_idx" SET (fastupdate = off);
ALTER INDEX "Memory_words_idx" SET (fastupdate = off);
ALTER INDEX "Proposal_similar_idx" SET (fastupdate = off);
ALTER INDEX "Proposal_decided_similar_idx" SET (fastupdate = off);
SELECT gin_clean_pending_list('"Memory_similar_idx"'), gin_clean_pending_list('"Memory_words_idx"'),
  gin_clean_pending_list('"Proposal_similar_idx"'), gin_clean_pending_list('"Proposal_decided_similar_idx"');
