#include "runner/peers/aspects.h"

#include <algorithm>
#include <map>
#include <string>

#include "runner/peers/words.h"
#include "schema/document/suggest.h"

namespace knead::peers {
namespace {

constexpr Part kLength[] = {Part::epochs, Part::steps};
constexpr Part kBatch[] = {Part::rank_batch, Part::batch};
constexpr Part kAccumulation[] = {Part::accumulation, Part::batch};
constexpr Part kOptimizer[] = {Part::optimizer, Part::wants_adafactor};
constexpr Part kRate[] = {Part::lr};
constexpr Part kBetas[] = {Part::beta1, Part::beta2, Part::optimizer_option};
constexpr Part kEpsilon[] = {Part::epsilon};
constexpr Part kDecay[] = {Part::weight_decay};
constexpr Part kClip[] = {Part::clip_norm};
constexpr Part kSchedule[] = {Part::schedule};
constexpr Part kWarmup[] = {Part::warmup_steps, Part::warmup_share};
constexpr Part kPrecision[] = {Part::bf16, Part::fp16, Part::tf32, Part::precision,
                               Part::weight_dtype};
constexpr Part kSeed[] = {Part::seed};
constexpr Part kSmoothing[] = {Part::label_smoothing};
constexpr Part kEvaluations[] = {Part::evaluate_when, Part::evaluate_steps,
                                 Part::evaluations_per_epoch};
constexpr Part kSaves[] = {Part::save_when, Part::save_steps, Part::save_epochs,
                           Part::saves_per_epoch};
constexpr Part kKept[] = {Part::keep};
constexpr Part kReports[] = {Part::report_when, Part::report_steps};

constexpr Aspect kAspects[] = {
    {"train.until", "how long, such as 3 epochs", kLength,
     "epoch epochs numepochs nepochs nepoch maxepoch maxepochs totalepochs trainepochs "
     "trainingepochs numtrainepochs numtrainingepochs numberofepochs maxtrainepochs "
     "steps maxsteps numsteps nsteps trainsteps numtrainsteps trainingsteps numtrainingsteps "
     "totalsteps totaltrainingsteps maxtrainsteps maxtrainingsteps iterations numiterations "
     "maxiterations iters maxiters maxiter numiters niters totaliters trainiters totaliter "
     "maxduration maxupdate maxupdates maxtokens traintokens"},
    {"batch.size", "samples in one optimizer step, of all processes together", kBatch,
     "batch batchsize trainbatchsize trainingbatchsize bs batchsizetraining batchsizetrain "
     "microbatchsize microbatch globalbatchsize trainglobalbatchsize globaltrainbatchsize "
     "localbatchsize totalbatchsize effectivebatchsize minibatchsize minibatch batchsizepergpu "
     "batchsizeperdevice perdevicebatchsize devicebatchsize pergpubatchsize imsperbatch "
     "samplespergpu samplesperbatch trainmicrobatchsizepergpu devicetrainmicrobatchsize "
     "perdevicetrainbatchsize"},
    // A second aspect of batch.size: a file that gives the micro-batch in a known key may give the
    // accumulation in an unknown one, and their product is open then.
    {"batch.size", "samples in one optimizer step, of all processes together", kAccumulation,
     "accumulation accumulationsteps accumulatesteps gradaccum gradaccumulation gradaccumsteps "
     "gradaccumulationsteps gradientaccumulation gradientaccumulationsteps accumulategradbatches "
     "accumulategradients accumulategrad accumgrad accumsteps accumcount gradacc updatefreq "
     "iterstoaccumulate gradientaccumulationiters"},
    {"optimizer.type", "adamw, sgd, …", kOptimizer,
     "optimizer optim opt optimizertype optimizername optimizerclass optimname optimtype solver"},
    {"optimizer.lr", "the learning rate", kRate,
     "lr learningrate learnrate baselr baselearningrate initlr initiallr initiallearningrate lr0 "
     "maxlr peaklr peaklearningrate maxlearningrate startlr lrstart trainlr optimlr optimizerlr "
     "adamlr stepsize"},
    {"optimizer.betas", "such as [0.9, 0.999]", kBetas,
     "betas adambetas adamwbetas beta1 beta2 adambeta1 adambeta2 optimizerbetas"},
    {"optimizer.eps", "such as 1e-8", kEpsilon, "eps epsilon adameps adamepsilon optimizereps"},
    {"optimizer.weight_decay", "a number; 0 for none", kDecay,
     "weightdecay wd decay l2 l2reg l2regularization weightdecayrate adamweightdecay adamwd"},
    {"clip.norm", "the most that gradients may have; without the block they are not clipped", kClip,
     "clip clipgrad gradclip clipnorm maxnorm gradientclip gradientclipping gradclipping "
     "gradientclipval gradclipnorm clipgradnorm gradnormclip gradnormclipping maxgradnorm "
     "maxgradientnorm gradientclipnorm gradclipval clippinggradient gradnorm"},
    {"schedule.type", "linear, cosine, …; without the block lr stays as it is", kSchedule,
     "scheduler schedule sched lrscheduler lrschedule lrschedulertype schedulertype schedulername "
     "learningratescheduler learningrateschedule lrpolicy lrdecaystyle lrsched lradj"},
    {"schedule.warmup", "such as 100 steps or 3%", kWarmup,
     "warmup warmupsteps warmupiters warmupepochs numwarmupsteps nwarmupsteps lrwarmupsteps "
     "lrwarmup warmupratio warmupfraction warmuppercent warmupproportion warmupupdates "
     "warmupiterations lrwarmupiters lrwarmupfraction schedulerwarmupsteps"},
    {"precision.compute", "bf16, fp16, tf32 or fp32", kPrecision,
     "precision amp useamp mixedprecision usemixedprecision fp16 bf16 usefp16 usebf16 float16 "
     "bfloat16 half dtype traindtype computedtype fp16training tf32"},
    {"seed", "a number", kSeed,
     "seed randomseed manualseed seedeverything rngseed trainseed trainingseed randomstate"},
    {"loss.label_smoothing", "such as 0.1", kSmoothing,
     "labelsmoothing labelsmoothingfactor smoothing labelsmooth"},
    {"evaluate.every", "such as 1 epoch", kEvaluations,
     "evalevery evaluateevery evalinterval evaluationinterval evalfreq evalfrequency valevery "
     "valinterval valfreq valcheckinterval validateevery validationinterval validationfreq "
     "evaleverynsteps runvaleverynsteps validsteps evalstrategy evaluationstrategy evalsteps "
     "evalperiod evaluatesteps"},
    {"checkpoint.every", "such as 1 epoch", kSaves,
     "saveevery saveinterval savefreq savefrequency saveperiod saveeverynsteps saveeverynepochs "
     "checkpointevery checkpointinterval checkpointfreq checkpointsteps ckptevery ckptinterval "
     "checkpointperiod savecheckpointsteps savestrategy savesteps snapshotepoch"},
    {"checkpoint.keep.last", "how many", kKept,
     "keeplast keeplastn keeplastncheckpoints savetopk maxtokeep maxkeepckpts keepcheckpointmax "
     "savetotallimit maxcheckpoints numcheckpointstokeep keepcheckpoints"},
    {"track.every", "such as 10 steps", kReports,
     "logevery loginterval logfreq logfrequency logeverynsteps logsteps logginginterval "
     "loggingsteps printfreq printinterval printevery logiter reportevery reportinterval "
     "dispfreq loggingfrequency logperiod"},
};

/// Returns whether a name only says that the name before it is meant, as `type` in optimizer.type.
bool is_word_for_kind(std::string_view name) {
  return name == "type" || name == "name" || name == "class" || name == "_target_" ||
         name == "class_path" || name == "class_name" || name == "value";
}

std::map<std::string_view, const Aspect*> aspects_by_name() {
  std::map<std::string_view, const Aspect*> named;
  for (const Aspect& aspect : kAspects) {
    // emplace() keeps the first entry, so the order of kAspects decides between aspects.
    for (const std::string_view name : words_of(aspect.names)) named.emplace(name, &aspect);
  }
  return named;
}

}  // namespace

std::span<const Aspect> aspects() { return kAspects; }

const Aspect* aspect_named(std::string_view path) {
  std::string_view name = path.substr(path.rfind('.') + 1);
  if (is_word_for_kind(name) && name.size() < path.size()) {
    path.remove_suffix(name.size() + 1);
    name = path.substr(path.rfind('.') + 1);
  }
  const std::string folded = schema::folded(name);
  static const std::map<std::string_view, const Aspect*> kNames = aspects_by_name();
  const auto found = kNames.find(folded);
  return found == kNames.end() ? nullptr : found->second;
}

const Aspect* aspect_of(Part part) {
  for (const Aspect& aspect : kAspects) {
    if (std::find(aspect.parts.begin(), aspect.parts.end(), part) != aspect.parts.end())
      return &aspect;
  }
  return nullptr;
}

}  // namespace knead::peers
