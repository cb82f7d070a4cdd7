-- GIN keeps new words in a list that some writer sorts in once it is long: by default at 4 MB, which takes longer than
-- a statement may after a large import, so that every writer in turn fails. At 128 kB it takes a moment.
ALTER INDEX "Memory_similar_idx" SET (gin_pending_list_limit = 128);
ALTER INDEX "Memory_words_idx" SET (gin_pending_list_limit = 128);
ALTER INDEX "Proposal_similar_idx" SET (gin_pending_list_limit = 128);
ALTER INDEX "Proposal_decided_similar_idx" SET (gin_pending_list_limit = 128);
SELECT gin_clean_pending_list('"Memory_similar_idx"'), gin_clean_pending_list('"Memory_words_idx"'),
  gin_clean_pending_list('"Proposal_similar_idx"'), gin_clean_pending_list('"Proposal_decided_similar_idx"');
