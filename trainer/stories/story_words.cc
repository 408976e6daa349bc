#include "trainer/stories/story_words.h"

#include <string>
#include <string_view>

namespace andrea {
namespace {

// The parts of "cat, dog, rabbit".
std::vector<std::string> split(std::string_view words) {
  constexpr std::string_view kComma = ", ";
  std::vector<std::string> parts;
  for (std::size_t end; (end = words.find(kComma)) != words.npos;) {
    parts.emplace_back(words.substr(0, end));
    words.remove_prefix(end + kComma.size());
  }
  parts.emplace_back(words);
  return parts;
}

// By the first letter; no word here needs more ("hour", "unicorn").
std::string with_article(const std::string& word) {
  const bool vowel = std::string_view("aeiou").find(word[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + word;
}

std::string plural(const std::string& word) {
  if (word.ends_with("erry")) return word.substr(0, word.size() - 1) + "ies";
  const bool hissing = word.ends_with("ch") || word.ends_with("sh") || word.ends_with("s");
  return word + (hissing || word.ends_with("ato") ? "es" : "s");
}

// Lists by how many forms their words have. `forms` names them as in the templates.

WordList words(const std::string& form, std::string_view list) {
  WordList result{{form}, {}};
  for (const std::string& word : split(list)) result.words.push_back({word});
  return result;
}

// "cat" and "a cat".
WordList nouns(const std::string& form, const std::string& article_form, std::string_view list) {
  WordList result{{form, article_form}, {}};
  for (const std::string& word : split(list)) result.words.push_back({word, with_article(word)});
  return result;
}

// "drum" and "drums".
WordList plurals(const std::string& form, const std::string& plural_form, std::string_view list) {
  WordList result{{form, plural_form}, {}};
  for (const std::string& word : split(list)) result.words.push_back({word, plural(word)});
  return result;
}

// "apple", "an apple" and "apples".
WordList foods(std::string_view list) {
  WordList result{{"food", "a food", "foods"}, {}};
  for (const std::string& word : split(list)) {
    result.words.push_back({word, with_article(word), plural(word)});
  }
  return result;
}

WordList heroes(std::string_view boys, std::string_view girls) {
  WordList result{{"hero", "he", "him", "his"}, {}};
  for (const std::string& name : split(boys)) result.words.push_back({name, "he", "him", "his"});
  for (const std::string& name : split(girls)) result.words.push_back({name, "she", "her", "her"});
  return result;
}

constexpr std::string_view kAnimals =
    "cat, dog, rabbit, mouse, fox, bear, hedgehog, squirrel, duck, frog, owl, otter, mole, "
    "badger, pig, lamb, goat, pony, kitten, puppy, goose, turtle, beaver, raccoon, donkey, panda, "
    "koala, elephant, monkey, hamster, chipmunk, penguin, seal, zebra, giraffe, tiger, lion, "
    "camel, weasel, calf, toad, lizard, moose, kangaroo, crocodile, reindeer, walrus, llama, "
    "alpaca, hippo, rhino, leopard, wolf, cheetah, gorilla, porcupine, skunk, bunny, foal, "
    "flamingo, ostrich, dolphin, newt, platypus";

constexpr std::string_view kTraits =
    "brave, cheerful, clever, curious, gentle, lively, merry, playful, polite, quiet, shy, "
    "sleepy, proud, young, friendly, hungry, careful, busy, funny, jolly, patient, tiny, silly, "
    "tidy, thoughtful, eager, little, stubborn, dreamy, lazy, nervous, bold, noisy, messy, "
    "forgetful, restless, modest, grumpy, helpful, adventurous, charming, dizzy, generous, "
    "graceful, clumsy, handsome, wise, talkative";

constexpr std::string_view kColors =
    "red, blue, green, yellow, purple, pink, brown, golden, silver, white, black, gray, striped, "
    "spotted, shiny, checkered, violet, crimson, scarlet, turquoise, maroon, lavender, navy, tan, "
    "dotted, flowery, glittering, polished, rosy, speckled, pale, multicolored";

constexpr std::string_view kDays = "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday";

}  // namespace

std::vector<WordList> story_words() {
  return {
      // Who.
      heroes(
          "Tom, Ben, Max, Leo, Sam, Jack, Finn, Oscar, Hugo, Toby, Felix, Ned, Otto, Jasper, "
          "Rufus, Milo, Barney, Walter, Simon, Albert, Peter, Henry, George, Edwin, Arthur, "
          "Victor, Theo, Paul, Ralph, Charlie, Louis, Adam",
          "Lily, Rosie, Molly, Daisy, Clara, Nora, Ruby, Tess, Hazel, Ivy, Bella, Olive, Mabel, "
          "Poppy, Emma, Lucy, Wendy, Zoe, Greta, Flora, Alice, Sophie, Martha, Kate, Amy, Grace, "
          "Julia, Helen, Penny, Susan, Violet, Eve"),
      words("friend",
            "Pip, Bramble, Pepper, Biscuit, Button, Clover, Fern, Maple, Nutmeg, Patch, Pickle, "
            "Pumpkin, Quill, Rusty, Sage, Scout, Sunny, Tansy, Thistle, Twig, Waffle, Willow, "
            "Acorn, Basil, Bonnie, Dusty, Freckle, Ginger, Juniper, Mossy, Noodle, Speckle, "
            "Bumble, Cricket, Domino, Fidget, Goldie, Hickory, Jolly, Kipper, Lucky, Muffin, "
            "Nibble, Olly, Pebble, Rascal, Skipper, Whisker, Bubble, Cocoa, Dumpling, Echo, "
            "Fudge, Gadget, Honey, Jigsaw, Marble, Onion, Pretzel, Radish, Sparkle, Truffle, "
            "Velvet, Ziggy"),
      nouns("kind", "a kind", kAnimals),
      nouns("fellow", "a fellow", kAnimals),
      nouns("beast", "a beast", kAnimals),
      nouns("bird", "a bird",
            "robin, sparrow, crow, magpie, wren, finch, swallow, pigeon, blackbird, lark, "
            "thrush, seagull, woodpecker, raven, stork, swan, cuckoo, peacock, starling, heron, "
            "parrot, eagle, falcon, nightingale, bluebird, jackdaw, kingfisher, jay, pelican, "
            "puffin, quail, vulture"),
      words("elder",
            "mother, father, grandmother, grandfather, aunt, uncle, sister, brother, cousin, "
            "neighbor, teacher, godmother"),
      nouns("trait", "a trait", kTraits),
      nouns("nature", "a nature", kTraits),
      nouns("temper", "a temper", kTraits),

      // When and where.
      words("weather",
            "sunny, rainy, windy, snowy, foggy, cloudy, frosty, chilly, warm, breezy, misty, "
            "bright, cool, mild, drizzly, hazy, gray, blustery, icy, dreary, quiet, crisp, "
            "gloomy, damp"),
      words("day", kDays),
      words("weekday", kDays),
      words("time", "morning, afternoon, evening"),
      nouns("house", "a house",
            "cottage, cabin, barn, burrow, farmhouse, lighthouse, windmill, treehouse, castle, "
            "tent, hut, wagon, boathouse, tower, palace, cave, shed, igloo, attic, cellar, "
            "greenhouse, houseboat, caravan, mansion, teahouse, stable, bungalow, inn"),
      words("place",
            "forest, meadow, river, lake, beach, hill, orchard, pond, market, village, bridge, "
            "mill, garden, field, valley, stream, harbor, library, station, bakery, playground, "
            "farm, park, school, museum, fountain, waterfall, vineyard, canal, theater, zoo, post "
            "office, bookshop, toyshop, church, town hall, dairy, cliff, dock, forge, swamp, "
            "crossroads, campground, pier, bay, mountain, marsh, chapel, airport, bus stop, "
            "circus, railway, gym, hospital, inn, jetty, lagoon, lighthouse, nursery, oasis, "
            "palace, ranch, sawmill, temple"),
      words("spot",
            "bed, table, chair, sofa, rug, shelf, cupboard, bench, stove, desk, wardrobe, "
            "bookcase, ladder, crate, barrel, log, bush, fence, gate, haystack, wall, stump, "
            "rock, wheelbarrow, well, mailbox, oak tree, stairs, curtain, fireplace, washtub, "
            "broom, door, sink, statue, hedge, doghouse, bathtub, signpost, pear tree, cabinet, "
            "drawer, flowerpot, lamppost, trunk, woodpile, birdhouse, footstool, apple tree, "
            "armchair, beehive, couch, dresser, flagpole, henhouse, icebox, kettle, playhouse, "
            "scarecrow, sandbox, sewing machine, tree stump, umbrella stand, swing"),
      words("old",
            "old, quiet, busy, little, big, famous, empty, crowded, shady, muddy, pretty, "
            "distant, nearby, dusty, peaceful, ancient, sunny, secret, noisy, lonely, royal, "
            "windy, enchanted, forgotten, beautiful, hidden, misty, sleepy, wild, magic, faraway"),
      words("wobbly",
            "wobbly, small, broken, dusty, heavy, crooked, old, painted, mossy, rickety, tall, "
            "wide, narrow, creaky, huge, pretty, dirty, muddy, strange, plain, slippery, "
            "lopsided, rotten, famous, sturdy, squeaky, leaning, cracked, round, gigantic, "
            "upturned, fancy"),
      words("room",
            "kitchen, attic, cellar, pantry, bedroom, hallway, shed, barn, garage, laundry room, "
            "study, nursery, closet, dining room, basement, workshop, loft, greenhouse, "
            "playroom, bathroom, storeroom, cloakroom, sunroom, toolshed"),

      // Things.
      nouns("thing", "a thing",
            "ball, kite, scarf, hat, mitten, book, lantern, whistle, teapot, umbrella, basket, "
            "blanket, marble, button, spoon, bell, doll, puzzle, ribbon, compass, bucket, "
            "shovel, pencil, cup, ring, necklace, key, boot, sock, map, shell, coin, watch, "
            "clock, mirror, pillow, paintbrush, yo-yo, sled, skate, feather, flag, mug, locket, "
            "bracelet, backpack, purse, comb, telescope, magnet, slipper, candle, notebook, "
            "crayon, pinwheel, bead, lamp, vase, drawing, fishing rod, globe, jar, suitcase, "
            "trophy"),
      nouns("trifle", "a trifle",
            "cobweb, leaf, spider, crumb, nail, pebble, acorn, snail, beetle, eggshell, twig, "
            "stick, worm, moth, pinecone, thimble, cork, seed, ladybug, caterpillar, ant, "
            "hairpin, peanut, toothbrush, cricket, lost glove, old shoe, rusty spring, "
            "bumblebee, dust ball, gnat, screw"),
      words("color", kColors),
      words("shade", kColors),
      words("garment",
            "hat, scarf, coat, vest, sweater, apron, jacket, cape, bonnet, shawl, cloak, shirt, "
            "dress, raincoat, bow tie, necktie, robe, beret, kilt, poncho, tunic, helmet, "
            "turban, nightgown, blazer, pullover, ball gown, headscarf, mask, sunhat, wig, "
            "cardigan"),
      words("material",
            "paper, string, wood, straw, cloth, clay, wool, cardboard, tin, twigs, feathers, "
            "leather, yarn, glass, felt, wax, velvet, rope, bark, silk"),
      plurals("instrument", "instruments",
              "drum, flute, fiddle, trumpet, xylophone, harp, guitar, banjo, piano, cello, tuba, "
              "accordion, harmonica, tambourine, triangle, trombone, clarinet, violin, bugle, "
              "organ, oboe, saxophone, horn, lute, mandolin, piccolo, ukulele, bagpipe, kazoo, "
              "bassoon, cornet, zither"),
      words("crops",
            "sunflowers, beans, pumpkins, carrots, turnips, radishes, tulips, roses, melons, "
            "cabbages, peas, strawberries, onions, potatoes, daisies, lilies, poppies, violets, "
            "beets, leeks, peppers, cucumbers, marigolds, daffodils"),

      // Food and drink.
      foods("apple, pear, plum, peach, carrot, cookie, muffin, pancake, sandwich, pie, bun, "
            "turnip, tomato, potato, cupcake, biscuit, dumpling, pretzel, waffle, cherry, walnut, "
            "chestnut, cracker, radish, strawberry, egg, doughnut, tart, scone, roll, apricot, "
            "fig, grape, raspberry, blueberry, melon, noodle, sausage, pickle, lemon, banana, "
            "coconut, omelet, pudding, bagel, brownie, fritter, mushroom, almond, crumpet, "
            "hazelnut, lollipop, nectarine, olive, quince, rice ball, tangerine, turnover, "
            "macaroon, gumdrop, jelly bean, hot dog, cheese stick, meatball"),
      words(
          "flavor",
          "warm, sweet, fresh, crunchy, tasty, sticky, buttery, delicious, giant, soft, "
          "crispy, spicy, salty, steaming, frozen, fluffy, sour, toasted, sugary, hot, tender, "
          "tiny, creamy, homemade, cold, plump, wrinkled, yummy, chewy, leftover, perfect, glazed"),
      words("drink",
            "milk, tea, cocoa, lemonade, cider, soup, orange juice, water, punch, broth, "
            "buttermilk, ginger ale, apple juice, root beer, soda, hot chocolate"),
      words("number",
            "two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, twenty"),

      // What is done, and how it feels.
      words("went",
            "ran, walked, hopped, skipped, hurried, marched, raced, strolled, wandered, dashed, "
            "trotted, tiptoed, rushed, galloped, scampered, waddled, pranced, bounced, crept, "
            "sped, danced, jogged, stumbled, zigzagged"),
      words("pastime",
            "singing, dancing, painting, fishing, reading, swimming, climbing, gardening, "
            "cooking, skating, sailing, drawing, knitting, digging, juggling, baking, whistling, "
            "camping, hiking, sewing, rowing, jumping, weaving, exploring, daydreaming, skiing, "
            "cycling, sledding, telling jokes, flying kites, picking berries, counting stars, "
            "chasing butterflies, blowing bubbles, telling stories, hunting for treasure, "
            "bowling, carving, composing, gliding, hopping, humming, jogging, rhyming, tumbling, "
            "yodeling, making kites, wrestling"),
      words("game",
            "tag, hide-and-seek, chess, leapfrog, catch, checkers, hopscotch, dominoes, cards, "
            "pirates, knights, explorers, detectives, marbles, charades, football, tennis, "
            "baseball, soccer, ping-pong, hangman, astronauts, cowboys, croquet, badminton, "
            "bingo, dragons, golf, jacks, kickball, spies, volleyball"),
      words("said",
            "said, whispered, cried, laughed, called, replied, shouted, giggled, murmured, "
            "exclaimed, announced, declared, chuckled, mumbled, squeaked, sang"),
      words("kindly",
            "kindly, softly, gently, quietly, happily, shyly, slowly, quickly, proudly, bravely, "
            "calmly, cheerfully, eagerly, politely, warmly, carefully, sweetly, merrily, "
            "patiently, firmly, brightly, sleepily, wisely, gladly, dreamily, gracefully, "
            "joyfully, lovingly, modestly, nervously, seriously, thoughtfully"),
      words("sad",
            "sad, lonely, worried, upset, gloomy, unhappy, sorry, tearful, miserable, cross, "
            "glum, downhearted, disappointed, troubled, grumpy, bored, dismal, forlorn, hurt, "
            "restless, weary, tired, wretched"),
      words("happy",
            "happy, glad, proud, pleased, thankful, delighted, excited, joyful, cheerful, merry, "
            "content, overjoyed, grateful, lucky, peaceful, relieved, blissful, calm, cozy, "
            "hopeful, jolly, loved, satisfied, wonderful"),
      words("lovely",
            "lovely, wonderful, splendid, marvelous, perfect, beautiful, magical, fine, grand, "
            "glorious, special, delightful, fantastic, charming, pleasant, remarkable, "
            "brilliant, curious, dazzling, funny, heavenly, nice, surprising, terrific"),
      words("sneezing",
            "sneezing, snoring, coughing, yawning, hiccuping, grumbling, shivering, dancing, "
            "barking, howling, sobbing, giggling"),
      words("howled", "howled, roared, whistled, moaned, wailed, screamed, rumbled, hissed"),
      words("clapped",
            "clapped, cheered, danced, whistled, smiled, laughed, waved, wept for joy, stamped "
            "and shouted, asked for more"),
  };
}

}  // namespace andrea
