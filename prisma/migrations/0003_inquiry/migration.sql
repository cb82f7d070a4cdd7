-- An owner asks why, once, about a request or a proposal, and its agent answers once.

-- CreateTable
CREATE TABLE "Inquiry" (
    "subjectId" VARCHAR(32) NOT NULL,
    "profileId" INTEGER NOT NULL,
    "agentDid" VARCHAR(144) NOT NULL,
    "question" VARCHAR(300) NOT NULL,
    "askedAt" TIMESTAMPTZ(3) NOT NULL,
    "answer" VARCHAR(500),
    "answeredAt" TIMESTAMPTZ(3),

    CONSTRAINT "Inquiry_pkey" PRIMARY KEY ("subjectId")
);

-- CreateIndex
CREATE INDEX "Inquiry_profileId_idx" ON "Inquiry"("profileId");

-- AddForeignKey
ALTER TABLE "Inquiry" ADD CONSTRAINT "Inquiry_profileId_fkey" FOREIGN KEY ("profileId") REFERENCES "Profile"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "Inquiry"
  ADD CONSTRAINT "Inquiry_answer_whole" CHECK ((answer IS NULL) = ("answeredAt" IS NULL)),
  ADD CONSTRAINT "Inquiry_question_some" CHECK (length(btrim(question)) >= 1),
  ADD CONSTRAINT "Inquiry_answer_some" CHECK (length(btrim(answer)) >= 1);
