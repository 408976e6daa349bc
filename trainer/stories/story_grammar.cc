#include "trainer/stories/story_grammar.h"

#include <vector>

#include "trainer/stories/story_words.h"

namespace andrea {
namespace {

std::vector<Rule> story_rules() {
  return {
      {"story", {"[opening] [plot] [ending]"}},

      {"opening",
       {
           "Once there was [a trait] [kind] named [hero], who loved [pastime].",
           "[hero] was [a trait] [kind] who loved [flavor] [foods] and [pastime].",
           "[hero], [a trait] [kind], lived in [a house] near the [old] [place] and loved "
           "[pastime].",
           "In [a house] by the [old] [place] lived [a trait] [kind] named [hero], who liked "
           "[pastime].",
           "At the [old] [place] lived [hero], [a trait] [kind] who dreamed of [pastime].",
           "There once was [a trait] [kind] called [hero], who ate [flavor] [foods] and loved "
           "[pastime].",
           "Long ago, [a trait] [kind] named [hero] was good at [pastime] and [game].",
           "Nobody loved [pastime] and [flavor] [foods] more than [hero], [a trait] [kind].",
       }},
      {"plot",
       {
           "[thing is lost] [search] [helper] [thing is found]",
           "[nobody to play with] [stranger] [hello] [good company]",
           "[thunder] [wind and rain] [shelter] [waiting it out]",
           "[full basket] [hungry fellow] [sharing] [thanks]",
           "[an instrument] [awful noise] [lesson] [concert]",
           "[invitation] [looking for a present] [party] [giving it]",
           "[quarrel] [apart] [good advice] [making up]",
           "[planting] [nothing grows] [a helping hand] [harvest]",
       }},
      {"when", {"One [weather] [day] [time]"}},

      // A thing is lost and found.
      {"thing is lost",
       {
           "[when], {he} lost {his} [color] [thing] near the [old] [place].",
           "[when], {his} [color] [thing] was gone.",
           "[when], {he} [went] home without {his} [color] [thing].",
           "[when], {he} felt [sad], for {his} [color] [thing] was missing.",
           "[when], {he} dropped {his} [color] [thing] and [number] [foods] at the [place].",
       }},
      {"search",
       {
           "{He} [kindly] looked under the [wobbly] [spot], but found only [a trifle].",
           "{He} searched the [room] with {his} [elder] and found [a trifle] and [number] "
           "[flavor] [foods].",
           "{He} [went] to the [room] and to the [old] [place], but found only [number] [foods].",
           "{He} looked behind the [wobbly] [spot] and saw [a trifle] and a [shade] [garment].",
           "Under the [wobbly] [spot] lay [number] [flavor] [foods] and [a trifle], but no "
           "{thing}.",
       }},
      {"helper",
       {
           "Then [a nature] [fellow] named [friend] [went] by and stopped to help.",
           "[friend], [a nature] [fellow] in a [shade] [garment], [kindly] helped {him} look.",
           "\"I will help you,\" [said] [friend], [a nature] [fellow] from the [old] [place].",
           "[friend], [a nature] [fellow] with [number] [foods], asked why {he} was so [sad].",
       }},
      {"thing is found",
       {
           "They found the {thing} behind the [wobbly] [spot], next to [number] [flavor] [foods].",
           "At last they saw the {thing} near the [old] [place], under [a temper] [bird].",
           "{friend} [went] to the [wobbly] [spot] and [kindly] pulled out the {color} {thing}.",
           "[A temper] [bird] had carried the {thing} to the [old] [place].",
           "\"Here is your {thing}!\" [said] the {fellow}, pointing at the [wobbly] [spot].",
       }},

      // Two become friends.
      {"nobody to play with",
       {
           "[when], {he} felt [sad], for {he} had nobody to play [game] with.",
           "[when], {he} [went] to the [old] [place] to find somebody who liked [game].",
           "[when], {he} wanted to play [game], but {his} [elder] was busy in the [room].",
           "[when], {he} sat alone behind the [wobbly] [spot] and watched [a bird].",
           "[when], {he} wished for a [lovely] friend who liked [foods] and [game].",
       }},
      {"stranger",
       {
           "Behind the [wobbly] [spot] {he} saw [a nature] [fellow] in a [shade] [garment].",
           "Near the [old] [place] {he} met [a nature] [fellow] with a [color] [thing].",
           "Then [a nature] [fellow] [went] by with a [color] [thing] and [number] [foods].",
           "[A nature] [fellow] sat near the [old] [place], eating [flavor] [foods].",
       }},
      {"hello",
       {
           "\"I am [friend],\" said the {fellow} [kindly]. \"Do you like [pastime]?\"",
           "\"I am {hero},\" {he} said [kindly]. \"I am [friend],\" [said] the {fellow}.",
           "\"Would you like [number] [flavor] [foods]?\" asked the {fellow}, who was called "
           "[friend].",
           "The {fellow} was called [friend], was good at [pastime] and felt [sad], too.",
       }},
      {"good company",
       {
           "Soon they played [game] and ate [number] [flavor] [foods] near the [place].",
           "{hero} told a [lovely] story about [a temper] [beast] who played the [instrument].",
           "Together they built [a house] out of [material] and [material] behind the [wobbly] "
           "[spot].",
           "{friend} taught {him} to play the [instrument], and {he} shared [number] [flavor] "
           "[foods].",
       }},

      // A storm.
      {"thunder",
       {
           "[when], a storm [howled] at the [old] [place] while {he} was {pastime}.",
           "[when], {he} [went] home from the [old] [place] as it began to thunder.",
           "[when], clouds rolled over the [old] [place], and the wind [howled].",
           "[when], {he} heard thunder as loud as [number] [shade] [instruments].",
       }},
      {"wind and rain",
       {
           "The wind [howled] and blew {his} [shade] [garment] over the [old] [place].",
           "Rain fell on the [wobbly] [spot], and {he} felt wet and [sad].",
           "It sounded like [number] [instruments] falling on a [sneezing] [beast].",
           "A gust of wind blew a [color] [thing] and [number] [flavor] [foods] past {him}.",
       }},
      {"shelter",
       {
           "\"Come in!\" [said] [friend], [a nature] [fellow] who lived in [a house].",
           "{He} [went] to [a house] and found [a nature] [fellow] named [friend] inside.",
           "{He} hid behind the [wobbly] [spot] with [a nature] [fellow] named [friend].",
           "[A nature] [fellow] in a [shade] [garment] waved [kindly]. \"I am [friend],\" [said] "
           "the {fellow}.",
       }},
      {"waiting it out",
       {
           "They drank [drink] and told jokes about [a temper] [beast] until it was over.",
           "{friend} gave {him} a [shade] [garment] and [kindly] played the [instrument].",
           "They played [game] and ate [flavor] [foods] until the sun shone on the [place].",
           "Soon a rainbow stood over the [old] [place], and [a temper] [bird] sang [kindly].",
       }},

      // A meal is shared.
      {"full basket",
       {
           "[when], {his} [elder] gave {him} [number] [flavor] [foods].",
           "[when], {he} bought [number] [flavor] [foods] at the [old] [place].",
           "[when], {he} found [number] [flavor] [foods] behind the [wobbly] [spot].",
           "[when], {he} took [number] [flavor] [foods] and some [drink] to the [old] [place].",
       }},
      {"hungry fellow",
       {
           "Near the [old] [place] {he} met [friend], [a nature] [fellow] who was hungry and "
           "[sad].",
           "Beside the [wobbly] [spot] sat [a nature] [fellow] named [friend], who looked [sad].",
           "\"I ate only [a trifle] on [weekday],\" [said] [friend], [a nature] [fellow] in a "
           "[shade] [garment].",
           "[friend], [a nature] [fellow] from the [old] [place], had only [drink] for lunch.",
       }},
      {"sharing",
       {
           "{hero} [kindly] shared the {foods} and brought [drink] from the [old] [place].",
           "\"I have {flavor} {foods} and [drink] for you,\" {he} said [kindly].",
           "{hero} sat by the [wobbly] [spot], felt [sad] and [kindly] shared the {foods}.",
           "{hero} [kindly] gave the {fellow} half of the {flavor} {foods} and some [drink].",
       }},
      {"thanks",
       {
           "The {fellow} [kindly] gave {him} a [color] [thing].",
           "The {fellow} felt [happy] and played a [lovely] song on the [instrument].",
           "\"I will bring you [flavor] [foods] on [weekday],\" {friend} promised [kindly].",
           "\"What a [lovely] {kind} you are!\" [said] {friend}, dancing around the [wobbly] "
           "[spot].",
       }},

      // An instrument is learned.
      {"an instrument",
       {
           "[when], {his} [elder] gave {him} a [shade] [instrument].",
           "[when], {he} found a [shade] [instrument] behind the [wobbly] [spot].",
           "[when], {he} heard [a temper] [beast] play the [instrument] and wanted to learn it.",
           "[when], {he} bought a [shade] [instrument] at the [old] [place].",
       }},
      {"awful noise",
       {
           "At first the {instrument} sounded like a [sneezing] [beast] in [a house].",
           "{His} first song was so loud that {his} [elder] [went] to the [old] [place].",
           "{He} practiced so badly that [a temper] [bird] flew to the [old] [place].",
           "{He} played so badly that [a trifle] fell off the [wobbly] [spot].",
       }},
      {"lesson",
       {
           "\"Play more [kindly],\" [said] [friend], [a nature] [fellow] in a [shade] [garment].",
           "[friend], [a nature] [fellow], [kindly] showed {him} how to hold the {instrument}.",
           "But [a nature] [fellow] named [friend] came every [weekday] and listened [kindly].",
           "\"Try again!\" [said] [friend], [a nature] [fellow] with [number] [flavor] [foods].",
       }},
      {"concert",
       {
           "After [number] weeks {he} played at the [old] [place], and everyone [clapped].",
           "On [weekday] {he} played a song about [a temper] [beast], and {his} [elder] [clapped].",
           "Soon {hero} played a [lovely] song about [number] [flavor] [foods].",
           "By [weekday] [a bird] was dancing to the {instrument} behind the [wobbly] [spot].",
       }},

      // A birthday.
      {"invitation",
       {
           "[when], {he} heard that [friend], [a nature] [fellow] in [a house], had a birthday.",
           "[when], {his} friend [friend], [a nature] [fellow] from the [old] [place], turned "
           "[number].",
           "[when], [a nature] [fellow] named [friend] asked {him} to a birthday party.",
           "[when], {he} got a letter. \"Come to my birthday party! Your [nature] friend, "
           "[friend] the [fellow].\"",
       }},
      {"looking for a present",
       {
           "{He} made a [color] [thing] out of [material] and [material] for the {fellow}.",
           "In the [room] {he} found a [color] [thing] and wrapped it in [shade] [material].",
           "{His} [elder] gave {him} a [color] [thing] and some [material] to wrap it in.",
           "{He} traded [number] [flavor] [foods] for a [color] [thing].",
       }},
      {"party",
       {
           "There were [number] [flavor] [foods], and [a temper] [beast] played the [instrument].",
           "The guests drank [drink], ate [flavor] [foods] and played [game].",
           "The cake tasted of [foods] and was as big as the [wobbly] [spot].",
           "[A temper] [beast] in a [shade] [garment] sang a [lovely] song about [a bird].",
       }},
      {"giving it",
       {
           "{friend} [kindly] unwrapped the {color} {thing} and felt [happy].",
           "\"What a [lovely] {thing}!\" [said] {friend}, feeling [happy].",
           "The {fellow} liked the {thing} more than [number] [flavor] [foods].",
           "{friend} [kindly] took the {color} {thing} and danced around the [wobbly] [spot].",
       }},

      // A quarrel, made up.
      {"quarrel",
       {
           "[when], {he} and [friend], [a nature] [fellow], both wanted a [color] [thing].",
           "[when], {he} played [game] with [a nature] [fellow] named [friend] and broke a "
           "[color] [thing].",
           "[when], [a nature] [fellow] named [friend] took {his} [color] [thing].",
           "[when], {he} and [friend], [a nature] [fellow] in a [shade] [garment], quarreled "
           "about a [color] [thing].",
       }},
      {"apart",
       {
           "\"Go away!\" [said] {hero}, and the {fellow} [went] to the [old] [place].",
           "{friend} hid in the [room], and {hero} sat behind the [wobbly] [spot], feeling [sad].",
           "{hero} ate [number] [flavor] [foods] in the [room], but still felt [sad].",
           "{hero} [went] to the [old] [place] and told [a trifle] how [sad] {he} was.",
       }},
      {"good advice",
       {
           "\"A friend is better than [number] [flavor] [foods],\" {his} [elder] said [kindly].",
           "\"Take [number] [flavor] [foods] to {friend},\" {his} [elder] said [kindly].",
           "But [pastime] and [game] were no fun without {friend}.",
           "Without {friend} even [number] [flavor] [foods] tasted like [material].",
       }},
      {"making up",
       {
           "\"I am sorry,\" {he} said [kindly] and gave {friend} the {thing} and [number] [foods].",
           "So {he} [went] to {friend} with [number] [flavor] [foods], and they made up.",
           "At the [old] [place] they hugged [kindly] and shared the {thing}.",
           "{friend} came back with [flavor] [foods] and [drink], and they played [game] again.",
       }},

      // A garden.
      {"planting",
       {
           "[when], {he} planted [number] rows of [crops] beside the [wobbly] [spot].",
           "[when], {he} planted [crops] near the [old] [place].",
           "[when], {his} [elder] gave {him} a [shade] [garment] and seeds to grow [crops].",
           "[when], {he} decided to grow [crops] behind [a house].",
       }},
      {"nothing grows",
       {
           "By [weekday] {he} saw only [a trifle] behind the [wobbly] [spot].",
           "{He} [kindly] watered the {crops} with [drink] from a [color] [thing].",
           "Every [weekday] {he} [kindly] played the [instrument] for the {crops}.",
           "But [a temper] [bird] ate [number] of the seeds, and {he} felt [sad].",
       }},
      {"a helping hand",
       {
           "Then [friend], [a nature] [fellow] in a [shade] [garment], pulled the weeds.",
           "[friend], [a nature] [fellow], [kindly] carried water from the [old] [place].",
           "[A nature] [fellow] called [friend] built a fence out of [material] and a [color] "
           "[thing].",
           "[friend], [a nature] [fellow], made a scarecrow out of [material] and a [shade] "
           "[garment].",
       }},
      {"harvest",
       {
           "At last the {crops} grew taller than the [wobbly] [spot].",
           "By [weekday] the [lovely] {crops} hid the [wobbly] [spot].",
           "On [weekday] they sold the {crops} at the [old] [place] and bought [flavor] [foods].",
           "At the [old] [place] everyone saw the {crops} and [clapped].",
       }},
      {"ending",
       {
           "They ate [number] [flavor] [foods], and {hero} never forgot that [lovely] {day}.",
           "From then on, the {kind} and the {fellow} played [game] and ate [flavor] [foods] "
           "every {day}.",
           "That night the {trait} {kind} ate [number] [flavor] [foods] and felt [happy].",
           "\"What a [lovely] {day}!\" [said] the {trait} {kind}, eating [flavor] [foods].",
           "{hero} [kindly] told {his} [elder] about it over [flavor] [foods] and [drink].",
           "The [happy] {kind} and the {fellow} spent the {time} {pastime} at the [old] [place].",
           "{hero} and {friend} [went] home, [happy] and full of [flavor] [foods].",
           "After that, the {trait} {kind} and the {nature} {fellow} shared every [flavor] [food].",
       }},
  };
}

}  // namespace

const Grammar& story_grammar() {
  static const Grammar grammar(story_rules(), story_words());
  return grammar;
}

}  // namespace andrea
